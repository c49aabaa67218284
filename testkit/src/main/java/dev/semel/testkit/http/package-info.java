/**
 * What {@code Idempotency-Key} must look like from outside, over real sockets: one list of wire scenarios, a client that
 * sends exact bytes, and an upstream whose effects are counted.
 */
@NullMarked
package dev.semel.testkit.http;

import org.jspecify.annotations.NullMarked;
