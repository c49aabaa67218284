package dev.semel.messaging.relay;

import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import org.jspecify.annotations.Nullable;

/** A shard that this relay has leased. Its fields are guarded by {@link HeldShards}. */
final class HeldShard {
    final ShardLease lease;

    /** Until then nobody else has it, by the clock of this machine. */
    long until;

    /** Null until the broker has opened it. */
    @Nullable
    Publisher publisher;

    /** Something of it is being sent, or was sent and is not settled. */
    boolean busy;

    /** It is to be given back. */
    boolean leaving;

    /** Nothing is sent before then. */
    long pausedUntil;

    /** How often in a row its broker was away. */
    int failures;

    HeldShard(ShardLease lease, long until) {
        this.lease = lease;
        this.until = until;
        this.pausedUntil = Long.MIN_VALUE;
    }
}
