/** A shop that charges cards, in plain Java. */
@NullMarked
package dev.semel.examples.plain;

import org.jspecify.annotations.NullMarked;
