/**
 * Whether a history is one that Semel may make. Knows what is promised and nothing of how it is kept: a mistake made there cannot be made
 * here again.
 */
@NullMarked
package dev.semel.torture.check;

import org.jspecify.annotations.NullMarked;
