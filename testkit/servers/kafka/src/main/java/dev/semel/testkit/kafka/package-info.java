/** A real Kafka as a child process of a test. */
@NullMarked
package dev.semel.testkit.kafka;

import org.jspecify.annotations.NullMarked;
