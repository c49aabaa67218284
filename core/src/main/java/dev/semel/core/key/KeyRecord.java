package dev.semel.core.key;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * All that a store keeps about one key.
 *
 * @param token the fencing token of the latest grant; only ever grows
 * @param attempt how many times the key has been granted, from 1
 * @param revision grows with every write, and starts where the token starts, so that no two lives of a key share one;
 *     what compare-and-set compares
 * @param since when the key entered its state, by the store's clock
 * @param remote whether its holder is outside the processes of Semel, as a client of the service API is; false unless held
 *     or in doubt
 * @param memo what the holder left with its claim; empty unless held or in doubt
 */
public record KeyRecord(
        KeyId id,
        Fingerprint fingerprint,
        long token,
        int attempt,
        long revision,
        Instant since,
        boolean remote,
        Memo memo,
        History history,
        KeyState state) {

    /** A record as most are: without memo and history. */
    public KeyRecord(
            KeyId id, Fingerprint fingerprint, long token, int attempt, long revision, Instant since, KeyState state) {
        this(id, fingerprint, token, attempt, revision, since, false, Memo.NONE, History.NONE, state);
    }

    /**
     * The same record as it counts at this instant: a finished key past its retention is spent, and nothing is left of
     * a free or spent key past its time. Stores may do the same on disk whenever it suits them.
     *
     * @return null when the key counts as absent
     */
    public @Nullable KeyRecord asOf(Instant now) {
        return switch (state) {
            case KeyState.Free free -> now.isBefore(free.forgetAt()) ? this : null;
            case KeyState.Spent spent -> now.isBefore(spent.forgetAt()) ? this : null;
            case KeyState.Done done -> {
                if (now.isBefore(done.replayUntil())) yield this;
                yield now.isBefore(done.forgetAt()) ? spent(done) : null;
            }
            case KeyState.Held held -> this;
            case KeyState.InDoubt doubt -> this;
        };
    }

    /** Whether it is time that someone looks at it: its holder is past its lease, or its next probe may set out. */
    public boolean isDue(Instant now) {
        return switch (state) {
            case KeyState.Held held -> held.isSilent(now);
            case KeyState.InDoubt doubt -> !now.isBefore(doubt.nextProbe());
            case KeyState.Free free -> false;
            case KeyState.Done done -> false;
            case KeyState.Spent spent -> false;
        };
    }

    /** The same record with another memo and state. */
    public KeyRecord with(Memo memo, KeyState state) {
        return new KeyRecord(id, fingerprint, token, attempt, revision, since, remote, memo, history, state);
    }

    private KeyRecord spent(KeyState.Done done) {
        return with(Memo.NONE, new KeyState.Spent(since, done.forgetAt()));
    }
}
