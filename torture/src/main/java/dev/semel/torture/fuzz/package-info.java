/** Requests that are nearly HTTP, by the hundred thousand. */
@NullMarked
package dev.semel.torture.fuzz;

import org.jspecify.annotations.NullMarked;
