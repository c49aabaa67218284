/** Namastack Outbox for Spring Boot, as a user would send messages to Kafka with it. */
@NullMarked
package dev.semel.bench.peers.namastack;

import org.jspecify.annotations.NullMarked;
