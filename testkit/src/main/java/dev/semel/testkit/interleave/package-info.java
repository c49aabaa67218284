/** A seeded search through the orders in which things can happen to one key. */
@NullMarked
package dev.semel.testkit.interleave;

import org.jspecify.annotations.NullMarked;
