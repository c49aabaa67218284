package dev.semel.messaging.broker;

/**
 * The right of one relay to send the messages of a shard.
 *
 * @param epoch grows with every new lease of the shard; who has an older one is late, and must change nothing
 */
public record ShardLease(int shard, long epoch) {}
