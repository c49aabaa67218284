package dev.semel.core.store;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a store promises and can do, as it is set up now. Declared by the store; the engine enforces what
 * it says about skew, outcomes and counting.
 *
 * @param survives what a write that was answered survives
 * @param clock whose clock judges leases
 * @param skew by how much the clocks that judge leases may differ from each other: zero where one clock judges (the
 *     server's, or that of the only process), else what the clients declared. The engine adds it to every time after
 *     which someone may act
 * @param largestOutcome how many bytes of an outcome it keeps; of a larger one only the clear part is recorded
 * @param forgetting who removes what is forgotten; for show, for the sweep looks after other things too
 * @param lists whether its index lists keys
 * @param counts whether its index counts the keys of a tenant
 * @param notifies whether it tells waiters of other processes about news, sooner than they would look; true exactly
 *     when {@link KeyStore#news} gives something
 * @param joins whether claim and outcome can be part of the caller's own transaction; true exactly when
 *     {@link KeyStore#joining} gives something
 * @param life its present life, if no other process can have it open; null where others may hold keys. Every record that
 *     such a store gives is {@link StoreLife#asOf as it counts in this life}
 * @param losses by what an answered write may be lost, a sentence each for operators; empty where {@code survives} says all
 */
public record StoreTraits(
        Survives survives,
        LeaseClock clock,
        Duration skew,
        long largestOutcome,
        Forgetting forgetting,
        boolean lists,
        boolean counts,
        boolean notifies,
        boolean joins,
        @Nullable StoreLife life,
        List<String> losses) {

    /** What a write that was answered survives. Each includes those before it. */
    public enum Survives {
        /** Gone with the process that keeps it. */
        NOTHING,
        /** The death of every process, but not of the machine. */
        PROCESS_DEATH,
        /** Also the loss of power. */
        POWER_LOSS,
        /** Also the loss of a machine, and the fail-over to another. */
        NODE_LOSS
    }

    /** Whose clock judges leases. */
    public enum LeaseClock {
        /** That of the machine it runs on: no other process has the store open. */
        PROCESS,
        /** That of the server that keeps the keys, which any number of processes share. */
        SERVER,
        /** Those of the processes that share it. */
        CLIENTS
    }

    /** Who removes what is forgotten. */
    public enum Forgetting {
        /** The sweep of the engine. */
        SWEEP,
        /** The server itself, when the time of a record has come. */
        SERVER
    }

    /** Enough for the clear part of any outcome. */
    private static final long LEAST_ROOM = 256;

    private static final Duration LARGEST_SKEW = Duration.ofHours(1);

    public StoreTraits {
        losses = List.copyOf(losses);
        if (skew.isNegative() || skew.compareTo(LARGEST_SKEW) > 0)
            throw new IllegalArgumentException(
                    "The skew of clocks is between zero and " + LARGEST_SKEW + ", not " + skew + ".");
        if (largestOutcome < LEAST_ROOM)
            throw new IllegalArgumentException(
                    "A store keeps outcomes of at least " + LEAST_ROOM + " bytes, not " + largestOutcome + ".");
    }

    /** A shared store with one clock, swept by the engine, that lists and counts, and keeps outcomes of any size. */
    public static StoreTraits surviving(Survives survives) {
        return new StoreTraits(
                survives,
                LeaseClock.SERVER,
                Duration.ZERO,
                Long.MAX_VALUE,
                Forgetting.SWEEP,
                true,
                true,
                false,
                false,
                null,
                List.of());
    }

    public StoreTraits withSurvives(Survives survives) {
        return new StoreTraits(
                survives, clock, skew, largestOutcome, forgetting, lists, counts, notifies, joins, life, losses);
    }

    public StoreTraits withClock(LeaseClock clock) {
        return new StoreTraits(
                survives, clock, skew, largestOutcome, forgetting, lists, counts, notifies, joins, life, losses);
    }

    public StoreTraits withSkew(Duration skew) {
        return new StoreTraits(
                survives, clock, skew, largestOutcome, forgetting, lists, counts, notifies, joins, life, losses);
    }

    public StoreTraits withLargestOutcome(long bytes) {
        return new StoreTraits(survives, clock, skew, bytes, forgetting, lists, counts, notifies, joins, life, losses);
    }

    public StoreTraits withForgetting(Forgetting forgetting) {
        return new StoreTraits(
                survives, clock, skew, largestOutcome, forgetting, lists, counts, notifies, joins, life, losses);
    }

    public StoreTraits withoutListing() {
        return new StoreTraits(
                survives, clock, skew, largestOutcome, forgetting, false, counts, notifies, joins, life, losses);
    }

    public StoreTraits withoutCounting() {
        return new StoreTraits(
                survives, clock, skew, largestOutcome, forgetting, lists, false, notifies, joins, life, losses);
    }

    public StoreTraits withNotifying() {
        return new StoreTraits(
                survives, clock, skew, largestOutcome, forgetting, lists, counts, true, joins, life, losses);
    }

    public StoreTraits withJoining() {
        return new StoreTraits(
                survives, clock, skew, largestOutcome, forgetting, lists, counts, notifies, true, life, losses);
    }

    public StoreTraits withoutJoining() {
        return new StoreTraits(
                survives, clock, skew, largestOutcome, forgetting, lists, counts, notifies, false, life, losses);
    }

    public StoreTraits withLosses(List<String> losses) {
        return new StoreTraits(
                survives, clock, skew, largestOutcome, forgetting, lists, counts, notifies, joins, life, losses);
    }

    public StoreTraits withLife(StoreLife life) {
        return new StoreTraits(
                survives, clock, skew, largestOutcome, forgetting, lists, counts, notifies, joins, life, losses);
    }
}
