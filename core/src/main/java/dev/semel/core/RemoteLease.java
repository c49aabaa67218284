package dev.semel.core;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.time.Duration;
import java.time.Instant;

/**
 * The word of a holder outside this process, who has nothing but the token of its claim. Each call looks the key up and
 * says what became of the word; saying the same thing twice is fine.
 *
 * <p>Safe for use by any thread. When a call returns {@link Settled.Accepted}, what it says is durable; on
 * {@link Settled.Unrecorded} the holder has to say it again, for nobody here does.
 */
public final class RemoteLease {
    private final KeyStore store;
    private final Settling settling;
    private final KeyId id;
    private final long token;
    private final ClaimPolicy policy;

    RemoteLease(KeyStore store, Settling settling, KeyId id, long token, ClaimPolicy policy) {
        this.store = store;
        this.settling = settling;
        this.id = id;
        this.token = token;
        this.policy = policy;
    }

    public Settled complete(Outcome outcome) {
        return settle(now -> ClaimRules.onComplete(now, token, outcome, policy, Instant.now()));
    }

    public Settled release() {
        return settle(now -> ClaimRules.onRelease(now, token, policy, Instant.now()));
    }

    public Settled doubt(String reason) {
        return settle(now -> ClaimRules.onDoubt(now, token, reason, policy, Instant.now()));
    }

    /** Holds the key for so long from now on. */
    public Settled renew(Duration lease) {
        return settle(now -> ClaimRules.onRenew(now, token, lease));
    }

    private Settled settle(Settling.Rule rule) {
        KeyRecord record;
        try {
            Seen seen = store.find(id);
            record = seen == null ? null : seen.record();
        } catch (StoreException e) {
            return new Settled.Unrecorded(e);
        }
        if (record == null || isHeldHere(record)) return new Settled.Superseded();
        return settling.settle(record, rule);
    }

    /** A key that some process holds itself is not to be settled from outside, whoever may have guessed its token. */
    private static boolean isHeldHere(KeyRecord record) {
        boolean open = record.state() instanceof KeyState.Held || record.state() instanceof KeyState.InDoubt;
        return open && !ClaimRules.isHeldElsewhere(record);
    }
}
