package dev.semel.core.engine;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.Lease;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.rules.ClaimRules;
import dev.semel.core.store.SwapLoop;
import dev.semel.core.time.EngineTime;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;

/** A lease that was granted in this process. */
final class HeldLease implements Lease {
    private static final long LONGEST_PAUSE = 1_000_000_000L;

    private final HolderWrites writes;
    private final ClaimPolicy policy;
    private final EngineTime time;
    private final Runnable ended;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile KeyRecord record;
    private volatile boolean settled;
    private volatile boolean lost;
    private volatile EngineTime.Reading renewedAt;
    private volatile long nextRenewal;
    private volatile boolean renewing;

    /**
     * @param began when the claim was sent to the store: the lease began no earlier
     * @param ended called when the attempt is over, once or more often
     */
    HeldLease(
            HolderWrites writes,
            KeyRecord record,
            ClaimPolicy policy,
            EngineTime time,
            EngineTime.Reading began,
            Runnable ended) {
        this.writes = writes;
        this.record = record;
        this.policy = policy;
        this.time = time;
        this.renewedAt = began;
        this.nextRenewal = began.nanos() + policy.lease().toNanos() / 3;
        this.ended = ended;
    }

    @Override
    public KeyId id() {
        return record.id();
    }

    @Override
    public Fingerprint fingerprint() {
        return record.fingerprint();
    }

    @Override
    public long token() {
        return record.token();
    }

    @Override
    public int attempt() {
        return record.attempt();
    }

    @Override
    public boolean isLost() {
        return lost;
    }

    @Override
    public boolean isSurelyHeld() {
        return !lost && time.nanosSince(renewedAt) < policy.lease().toNanos();
    }

    @Override
    public Instant leaseUntil() {
        return record.state() instanceof KeyState.Held held ? writes.withoutMargin(held.leaseUntil()) : record.since();
    }

    @Override
    public Memo memo() {
        return record.memo();
    }

    @Override
    public Settlement note(Memo memo) {
        writing.lock();
        try {
            if (settled) throw new IllegalStateException("This lease is already settled: " + id());
            EngineTime.Reading began = time.read();
            Settlement noted = writes.note(record, memo, policy.lease());
            switch (noted) {
                case Settlement.Accepted it -> renewed(it.record(), began);
                case Settlement.Superseded it -> lost = true;
                case Settlement.Unrecorded it -> {}
            }
            return noted;
        } finally {
            writing.unlock();
        }
    }

    private void renewed(KeyRecord written, EngineTime.Reading began) {
        record = written;
        renewedAt = began;
        nextRenewal = began.nanos() + policy.lease().toNanos() / 3;
    }

    @Override
    public Settlement complete(Outcome outcome) {
        Outcome kept = writes.fitting(outcome);
        return settle("its outcome", now -> ClaimRules.onComplete(now, record.token(), kept, policy, time.instant()));
    }

    @Override
    public Settlement release() {
        return settle("that nothing ran", now -> ClaimRules.onRelease(now, record.token(), policy, time.instant()));
    }

    @Override
    public Settlement doubt(String reason) {
        return settle(
                "that its answer is lost",
                now -> ClaimRules.onDoubt(now, record.token(), reason, policy, time.instant()));
    }

    @Override
    public void close() {
        if (!settled) doubt("the holder ended without saying what happened");
    }

    private Settlement settle(String word, SwapLoop.Rule<Settlement> rule) {
        writing.lock();
        try {
            if (settled) throw new IllegalStateException("This lease is already settled: " + id());
            settled = true;
            return writes.settle(record, word, rule, ended);
        } finally {
            writing.unlock();
        }
    }

    boolean isSettled() {
        return settled;
    }

    /** Whether it is time for a renewal, which the caller must then bring about. */
    boolean beginRenewal(long now) {
        if (settled || lost || renewing || now - nextRenewal < 0) return false;
        renewing = true;
        return true;
    }

    /** A renewal that meets a settlement under way steps aside. */
    void renew() {
        long soon = Math.min(policy.lease().toNanos() / 10, LONGEST_PAUSE);
        if (!writing.tryLock()) {
            nextRenewal = time.nanos() + soon;
            renewing = false;
            return;
        }
        try {
            EngineTime.Reading began = time.read();
            nextRenewal = began.nanos() + soon;
            if (settled || lost) return;
            switch (writes.renew(record, policy.lease())) {
                case Settlement.Accepted renewed -> renewed(renewed.record(), began);
                case Settlement.Superseded superseded -> lost = true;
                case Settlement.Unrecorded unrecorded -> throw unrecorded.cause();
            }
        } finally {
            renewing = false;
            writing.unlock();
        }
    }
}
