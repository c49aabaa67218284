/** A real NATS as a child process of a test. */
@NullMarked
package dev.semel.testkit.nats;

import org.jspecify.annotations.NullMarked;
