/** Outcomes of operations as JSON, by Jackson. */
@NullMarked
package dev.semel.json;

import org.jspecify.annotations.NullMarked;
