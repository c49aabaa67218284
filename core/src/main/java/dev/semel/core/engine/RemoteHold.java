package dev.semel.core.engine;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.RemoteLease;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.core.rules.ClaimRules;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.SwapLoop;
import dev.semel.core.time.EngineTime;
import java.time.Duration;

/** A lease by its token alone: each word looks the key up first. */
public final class RemoteHold implements RemoteLease {
    private final KeyStore store;
    private final HolderWrites writes;
    private final EngineTime time;
    private final KeyId id;
    private final long token;
    private final ClaimPolicy policy;

    public RemoteHold(KeyStore store, HolderWrites writes, EngineTime time, KeyId id, long token, ClaimPolicy policy) {
        this.store = store;
        this.writes = writes;
        this.time = time;
        this.id = id;
        this.token = token;
        this.policy = policy;
    }

    @Override
    public Settlement complete(Outcome outcome) {
        Outcome kept = writes.fitting(outcome);
        return settle(now -> ClaimRules.onComplete(now, token, kept, policy, time.instant()));
    }

    @Override
    public Settlement release() {
        return settle(now -> ClaimRules.onRelease(now, token, policy, time.instant()));
    }

    @Override
    public Settlement doubt(String reason) {
        return settle(now -> ClaimRules.onDoubt(now, token, reason, policy, time.instant()));
    }

    @Override
    public Settlement renew(Duration lease) {
        return settle(now -> ClaimRules.onRenew(now, token, lease));
    }

    private Settlement settle(SwapLoop.Rule<Settlement> rule) {
        KeyRecord record;
        try {
            Seen seen = store.find(id);
            record = seen == null ? null : seen.record();
        } catch (StoreException e) {
            return new Settlement.Unrecorded(e);
        }
        if (record == null || isHeldByAnEngine(record)) return new Settlement.Superseded();
        return writes.settleRemote(record, rule);
    }

    /** A key that some process holds itself is not to be settled from outside, whoever may have guessed its token. */
    private static boolean isHeldByAnEngine(KeyRecord record) {
        boolean open = record.state() instanceof KeyState.Held || record.state() instanceof KeyState.InDoubt;
        return open && !record.remote();
    }
}
