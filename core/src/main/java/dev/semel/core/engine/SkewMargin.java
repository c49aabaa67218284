package dev.semel.core.engine;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import java.time.Duration;

/**
 * A store whose records are judged by clocks that differ. Every time after which someone may act is written later by the
 * declared skew: then a holder has its whole lease also by the fastest clock, and no probe sets out too early. A key is
 * forgotten later by twice the skew: whoever claimed it may have been fast, whoever settled it slow, whoever forgets it fast
 * and whoever begins it anew slow again; and the new first token must be higher than the last one all the same.
 */
public final class SkewMargin extends ForwardingKeyStore {
    private final Duration skew;

    private SkewMargin(KeyStore store, Duration skew) {
        super(store);
        this.skew = skew;
    }

    /** The store itself where one clock judges. */
    public static KeyStore around(KeyStore store) {
        Duration skew = store.traits().skew();
        return skew.isZero() ? store : new SkewMargin(store, skew);
    }

    @Override
    public Inserted insert(NewKey key) {
        return super.insert(key.withLease(key.lease().plus(skew)));
    }

    @Override
    public Replaced replace(KeyRecord seen, Change change) {
        return super.replace(seen, change.with(change.memo(), later(change.next())));
    }

    private Next later(Next next) {
        return switch (next) {
            case Next.Held it -> new Next.Held(it.holder(), it.lease().plus(skew), it.guarantee(), it.heldSince());
            case Next.InDoubt it ->
                new Next.InDoubt(it.reason(), it.probes(), it.probeIn().plus(skew), it.doubtSince());
            case Next.Done it ->
                new Next.Done(it.outcome(), it.retention(), it.tombstone().plus(skew.multipliedBy(2)), it.doneSince());
            case Next.Free it -> new Next.Free(it.keep().plus(skew.multipliedBy(2)));
        };
    }
}
