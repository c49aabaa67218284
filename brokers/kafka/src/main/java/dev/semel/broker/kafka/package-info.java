/** Messages to Kafka. */
@NullMarked
package dev.semel.broker.kafka;

import org.jspecify.annotations.NullMarked;
