/**
 * Messages that are told exactly when what they tell of has happened: written in its transaction, sent by a relay in order, and
 * recognized by whoever has them already.
 */
@NullMarked
package dev.semel.messaging;

import org.jspecify.annotations.NullMarked;
