/** Gruelbox Transaction Outbox, as a user would send messages to Kafka with it. */
@NullMarked
package dev.semel.bench.peers.gruelbox;

import org.jspecify.annotations.NullMarked;
