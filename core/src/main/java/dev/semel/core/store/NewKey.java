package dev.semel.core.store;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.History;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** A first claim: what {@link KeyStore#insert} writes when it finds nothing. The holder is unique to this one claim. */
public record NewKey(
        KeyId id,
        Fingerprint fingerprint,
        String holder,
        Duration lease,
        Guarantee guarantee,
        boolean remote,
        Memo memo) {

    public NewKey(KeyId id, Fingerprint fingerprint, String holder, Duration lease) {
        this(id, fingerprint, holder, lease, Guarantee.AT_MOST_ONCE, false, Memo.NONE);
    }

    /** The record that this becomes when it is inserted at this instant of the store's clock. */
    public KeyRecord at(Instant now) {
        long token = firstToken(now);
        KeyState.Held held = new KeyState.Held(holder, now.plus(lease), guarantee);
        return new KeyRecord(id, fingerprint, token, 1, token, now, remote, memo, History.NONE, held);
    }

    /** The same claim with another lease. */
    public NewKey withLease(Duration lease) {
        return new NewKey(id, fingerprint, holder, lease, guarantee, remote, memo);
    }

    /** The same claim with another memo. */
    public NewKey withMemo(Memo memo) {
        return new NewKey(id, fingerprint, holder, lease, guarantee, remote, memo);
    }

    /**
     * The first token of a key is the store's clock in microseconds, later ones count up from there. So tokens keep
     * growing when a key is forgotten and comes back, and also when the store itself was lost or restored from a
     * backup: whoever fences by token downstream never sees the count start over.
     */
    public static long firstToken(Instant now) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, now);
    }
}
