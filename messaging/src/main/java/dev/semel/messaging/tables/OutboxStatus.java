package dev.semel.messaging.tables;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an outbox is doing.
 *
 * @param waiting how many messages wait, counted up to {@link #COUNTED} at most
 * @param oldest how long the oldest of them has been waiting; null when there is none
 * @param parkedKeys how many keys are parked
 * @param deadLetters how many dead letters there are, counted up to {@link #COUNTED} at most
 * @param shards who has which shard
 * @param blocker what keeps the database from cleaning up behind the relay, such as a long transaction; null when nothing does
 *     for long
 */
public record OutboxStatus(
        long waiting,
        @Nullable Duration oldest,
        long parkedKeys,
        long deadLetters,
        List<Shard> shards,
        @Nullable Blocker blocker) {

    /** How far is counted. */
    public static final int COUNTED = 100_000;

    public OutboxStatus {
        shards = List.copyOf(shards);
    }

    /** @param relay null when nobody has it */
    public record Shard(int shard, long epoch, @Nullable String relay, Duration left) {}

    /**
     * A transaction that has been open for long. Messages go on being sent; but what they leave behind cannot be skipped or removed
     * before it ends, which makes every read slower.
     *
     * @param what who it is: a process of the database, or a prepared transaction
     * @param since for how long it has been open
     */
    public record Blocker(String what, Duration since) {}
}
