package dev.semel.core.claim;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import java.time.Instant;

/**
 * The right to run one operation, until it is settled. Semel renews it in the background for as long as it is not, so a
 * slow operation keeps its key and a dead process loses it. Exactly one of complete, release and doubt ends it; closing
 * it unsettled counts as doubt, because nobody said what happened.
 *
 * <p>Safe for use by any thread. When a call returns {@link Settlement.Accepted}, what it says is durable.
 */
public interface Lease extends AutoCloseable {
    KeyId id();

    /** What the key was claimed for. */
    Fingerprint fingerprint();

    /** Grows with every grant of the key; hand it on to whatever the operation changes. */
    long token();

    /** 1 for the first grant of the key. */
    int attempt();

    /** Whether the key has gone to someone else, or into doubt, while this holder was silent. */
    boolean isLost();

    /**
     * Whether the key is certainly still this holder's, by this machine's own count of time. To be asked right before
     * an effect: a process that was paused must not act on a lease that has run out meanwhile.
     */
    boolean isSurelyHeld();

    /** Until when the holder may be silent, by the store's clock; later when it was renewed meanwhile. */
    Instant leaseUntil();

    /** What was left with the key, by this holder or by the one whose place it took. */
    Memo memo();

    /**
     * Leaves word with the key, in place of what was there; also renews the lease. Where the operation may run again, the
     * next attempt finds it, whether this one dies or ends in release or doubt. Any number of times until it is settled.
     */
    Settlement note(Memo memo);

    /** The operation ran; from now on this is its outcome. */
    Settlement complete(Outcome outcome);

    /** The operation is known not to have run: the key is free for another attempt. */
    Settlement release();

    /** The operation may have run, and nobody here can tell. */
    Settlement doubt(String reason);

    @Override
    void close();
}
