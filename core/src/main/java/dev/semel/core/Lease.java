package dev.semel.core;

import dev.semel.core.ClaimRules.Ruling;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Outcome;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The right to run one operation, until it is settled. Semel renews it in the background for as long as it is not, so a
 * slow operation keeps its key and a dead process loses it. Exactly one of complete, release and doubt ends it; closing
 * it unsettled counts as doubt, because nobody said what happened.
 *
 * <p>Safe for use by any thread. When a call returns {@link Settled.Accepted}, what it says is durable.
 */
public final class Lease implements AutoCloseable {
    private final Semel semel;
    private final ClaimPolicy policy;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile KeyRecord record;
    private volatile boolean settled;
    private volatile boolean lost;
    private volatile long renewedAt = System.nanoTime();

    Lease(Semel semel, KeyRecord record, ClaimPolicy policy) {
        this.semel = semel;
        this.record = record;
        this.policy = policy;
    }

    public KeyId id() {
        return record.id();
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

    /** The operation ran; from now on this is its outcome. */
    public Settled complete(Outcome outcome) {
        long token = token();
        return settle(now -> ClaimRules.onComplete(now, token, outcome, policy));
    }

    /** The operation is known not to have run: the key is free for another attempt. */
    public Settled release() {
        long token = token();
        return settle(now -> ClaimRules.onRelease(now, token, policy));
    }

    /** The operation may have run, and nobody here can tell. */
    public Settled doubt(String reason) {
        long token = token();
        return settle(now -> ClaimRules.onDoubt(now, token, reason, policy));
    }

    @Override
    public void close() {
        if (!settled) doubt("the holder ended without saying what happened");
    }

    private Settled settle(Function<@Nullable KeyRecord, Ruling<Settled>> rule) {
        writing.lock();
        try {
            if (settled) throw new IllegalStateException("This lease is already settled: " + id());
            settled = true;
            return semel.settle(this, rule);
        } finally {
            writing.unlock();
        }
    }

    KeyRecord record() {
        return record;
    }

    boolean isDue(long now) {
        return !settled && !lost && now - renewedAt > policy.lease().toNanos() / 3;
    }

    /** Called by the keeper only. A renewal that meets a settlement under way steps aside. */
    void renew() {
        if (!writing.tryLock()) return;
        try {
            if (settled || lost) return;
            long began = System.nanoTime();
            switch (semel.renew(record, policy.lease())) {
                case Settled.Accepted renewed -> {
                    record = renewed.record();
                    renewedAt = began;
                }
                case Settled.Superseded superseded -> lost = true;
                case Settled.Unrecorded unrecorded -> throw unrecorded.cause();
            }
        } finally {
            writing.unlock();
        }
    }
}
