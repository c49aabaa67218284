package dev.semel.core;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The right to run one operation, until it is settled. Semel renews it in the background for as long as it is not, so a
 * slow operation keeps its key and a dead process loses it. Exactly one of complete, release and doubt ends it; closing
 * it unsettled counts as doubt, because nobody said what happened.
 *
 * <p>Safe for use by any thread. When a call returns {@link Settled.Accepted}, what it says is durable.
 */
public final class Lease implements AutoCloseable {
    private static final long LONGEST_PAUSE = 1_000_000_000L;

    private final Settling settling;
    private final ClaimPolicy policy;
    private final QuotaGate.@Nullable Permit permit;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile KeyRecord record;
    private volatile boolean settled;
    private volatile boolean lost;
    private final Stopwatch watch;
    private volatile Stopwatch.Reading renewedAt;
    private volatile long nextRenewal;
    private volatile boolean renewing;

    /**
     * @param began when the claim was sent to the store: the lease began no earlier
     * @param permit the place that it takes among the attempts of its tenant; null when it runs elsewhere
     */
    Lease(
            Settling settling,
            KeyRecord record,
            ClaimPolicy policy,
            Stopwatch watch,
            Stopwatch.Reading began,
            QuotaGate.@Nullable Permit permit) {
        this.settling = settling;
        this.record = record;
        this.policy = policy;
        this.watch = watch;
        this.renewedAt = began;
        this.nextRenewal = began.nanos() + policy.lease().toNanos() / 3;
        this.permit = permit;
    }

    public KeyId id() {
        return record.id();
    }

    /** What the key was claimed for. */
    public Fingerprint fingerprint() {
        return record.fingerprint();
    }

    /** Grows with every grant of the key; hand it on to whatever the operation changes. */
    public long token() {
        return record.token();
    }

    /** 1 for the first grant of the key. */
    public int attempt() {
        return record.attempt();
    }

    /** Whether the key has gone to someone else, or into doubt, while this holder was silent. */
    public boolean isLost() {
        return lost;
    }

    /**
     * Whether the key is certainly still this holder's, by this machine's own count of time. To be asked right before
     * an effect: a process that was paused must not act on a lease that has run out meanwhile.
     */
    public boolean isSurelyHeld() {
        return !lost && watch.nanosSince(renewedAt) < policy.lease().toNanos();
    }

    /** Until when the holder may be silent, by the store's clock; later when it was renewed meanwhile. */
    public Instant leaseUntil() {
        return record.state() instanceof KeyState.Held held ? held.leaseUntil() : record.since();
    }

    /** The operation ran; from now on this is its outcome. */
    public Settled complete(Outcome outcome) {
        long token = token();
        return settle("its outcome", now -> ClaimRules.onComplete(now, token, outcome, policy, Instant.now()));
    }

    /** The operation is known not to have run: the key is free for another attempt. */
    public Settled release() {
        long token = token();
        return settle("that nothing ran", now -> ClaimRules.onRelease(now, token, policy, Instant.now()));
    }

    /** The operation may have run, and nobody here can tell. */
    public Settled doubt(String reason) {
        long token = token();
        return settle("that its answer is lost", now -> ClaimRules.onDoubt(now, token, reason, policy, Instant.now()));
    }

    @Override
    public void close() {
        if (!settled) doubt("the holder ended without saying what happened");
    }

    private Settled settle(String word, Settling.Rule rule) {
        writing.lock();
        try {
            if (settled) throw new IllegalStateException("This lease is already settled: " + id());
            settled = true;
            return settling.settle(this, word, rule);
        } finally {
            writing.unlock();
        }
    }

    KeyRecord record() {
        return record;
    }

    boolean isSettled() {
        return settled;
    }

    /** Called by the keeper only, when the attempt is over. */
    void giveBackPermit() {
        if (permit != null) permit.close();
    }

    /** Called by the keeper only: whether it is time for a renewal, which it must then bring about. */
    boolean beginRenewal(long now) {
        if (settled || lost || renewing || now - nextRenewal < 0) return false;
        renewing = true;
        return true;
    }

    /** Called by the keeper only. A renewal that meets a settlement under way steps aside. */
    void renew() {
        long soon = Math.min(policy.lease().toNanos() / 10, LONGEST_PAUSE);
        if (!writing.tryLock()) {
            nextRenewal = watch.read().nanos() + soon;
            renewing = false;
            return;
        }
        try {
            Stopwatch.Reading began = watch.read();
            nextRenewal = began.nanos() + soon;
            if (settled || lost) return;
            switch (settling.renew(record, policy.lease())) {
                case Settled.Accepted renewed -> {
                    record = renewed.record();
                    renewedAt = began;
                    nextRenewal = began.nanos() + policy.lease().toNanos() / 3;
                }
                case Settled.Superseded superseded -> lost = true;
                case Settled.Unrecorded unrecorded -> throw unrecorded.cause();
            }
        } finally {
            renewing = false;
            writing.unlock();
        }
    }
}
