/**
 * Effects that are safe to repeat by themselves, in the caller's own transaction and without a key: {@link
 * dev.semel.store.jdbc.effect.Fence} refuses the late, {@link dev.semel.store.jdbc.effect.Transition} tells a repetition from a
 * change.
 */
@NullMarked
package dev.semel.store.jdbc.effect;

import org.jspecify.annotations.NullMarked;
