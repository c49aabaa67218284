/** Writes to a resource in the order of their versions. */
@NullMarked
package dev.semel.http.order;

import org.jspecify.annotations.NullMarked;
