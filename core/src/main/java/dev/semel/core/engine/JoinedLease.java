package dev.semel.core.engine;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.JoinedTransaction;
import dev.semel.core.claim.Lease;
import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.SemelListener;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.quota.TenantQuotas;
import dev.semel.core.store.JoiningKeyStore;
import dev.semel.core.store.Next;
import dev.semel.core.store.StoreException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The right to run an operation inside the caller's transaction. There is nothing to renew and nothing to doubt: until the
 * commit nothing has happened, and what ends without an outcome cannot be committed.
 */
final class JoinedLease implements Lease {
    private final JoiningKeyStore store;
    private final JoinedTransaction transaction;
    private final JoinedHold hold;
    private final ClaimPolicy policy;
    private final HolderWrites writes;
    private final SemelListener listener;
    private final TenantQuotas.Permit permit;
    private boolean settled;

    JoinedLease(
            JoiningKeyStore store,
            JoinedTransaction transaction,
            JoinedHold hold,
            ClaimPolicy policy,
            HolderWrites writes,
            SemelListener listener,
            TenantQuotas.Permit permit) {
        this.store = store;
        this.transaction = transaction;
        this.hold = hold;
        this.policy = policy;
        this.writes = writes;
        this.listener = listener;
        this.permit = permit;
    }

    @Override
    public KeyId id() {
        return hold.id();
    }

    @Override
    public Fingerprint fingerprint() {
        return hold.fingerprint();
    }

    @Override
    public long token() {
        return hold.token();
    }

    @Override
    public int attempt() {
        return hold.attempt();
    }

    @Override
    public boolean isLost() {
        return false;
    }

    /** For as long as the transaction is open; and when it is not, nothing of it can be committed. */
    @Override
    public boolean isSurelyHeld() {
        return true;
    }

    @Override
    public Instant leaseUntil() {
        return Instant.MAX;
    }

    @Override
    public Memo memo() {
        return Memo.NONE;
    }

    @Override
    public Settlement note(Memo memo) {
        throw new IllegalStateException("Nothing is noted in a transaction, which is there as a whole or not at all.");
    }

    /**
     * Recorded in the transaction, and durable with it. Nobody is told before: a caller that ends the transaction itself has
     * not committed yet.
     */
    @Override
    public Settlement complete(Outcome outcome) {
        settle();
        Settlement settlement = recorded(outcome);
        listener.on(new SemelEvent.LeaseSettled(hold.id(), hold.token(), settlement));
        return settlement;
    }

    private Settlement recorded(Outcome outcome) {
        KeyRecord written;
        try {
            written = record(new Next.Done(writes.fitting(outcome), policy.retention(), policy.tombstone()));
        } catch (StoreException e) {
            forbidCommit("its outcome could not be recorded");
            // J3: the commit was sent, and its answer is lost.
            if (e.applied() == StoreException.Applied.UNKNOWN) return new Settlement.Unrecorded(e);
            throw e;
        } catch (RuntimeException | Error e) {
            forbidCommit("its outcome could not be recorded");
            throw e;
        }
        if (written != null) return new Settlement.Accepted(written);
        forbidCommit("another attempt has written it");
        return new Settlement.Superseded();
    }

    private @Nullable KeyRecord record(Next.Done done) {
        return transaction.endsWithOutcome()
                ? store.recordAndCommit(
                        transaction.connection(), hold.id(), hold.found(), hold.began(), hold.becoming(done))
                : store.record(transaction.connection(), hold.id(), hold.found(), hold.began(), hold.becoming(done));
    }

    /** An effect whose outcome is not recorded must not be committed, also by a driver that mends failed transactions. */
    private void forbidCommit(String reason) {
        if (!transaction.endsWithOutcome()) store.forbidCommit(transaction.connection(), hold.id() + ": " + reason);
    }

    /** Nothing ran and nothing was written: the caller may even commit what else it did. */
    @Override
    public Settlement release() {
        settle();
        return new Settlement.Superseded();
    }

    /** What ran in part is undone with the rest of the transaction, which cannot be committed any more. */
    @Override
    public Settlement doubt(String reason) {
        settle();
        forbidCommit(reason);
        return new Settlement.Superseded();
    }

    private void settle() {
        if (settled) throw new IllegalStateException("This lease is already settled: " + id());
        settled = true;
        permit.giveBack();
    }

    @Override
    public void close() {
        if (!settled) doubt("it ended without an outcome");
    }
}
