/** Moves keys from one store to another, while others may still use the first alone: seal there, then write here. */
@NullMarked
package dev.semel.core.move;

import org.jspecify.annotations.NullMarked;
