package dev.semel.core.store;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.History;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Memo;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a record is to become. Decided by the engine's rules; a store writes it or does not, and decides nothing. */
public record Change(
        Fingerprint fingerprint, long token, int attempt, boolean remote, Memo memo, History history, Next next) {

    /** A change of a key that is not remote, without memo and history. */
    public Change(Fingerprint fingerprint, long token, int attempt, Next next) {
        this(fingerprint, token, attempt, false, Memo.NONE, History.NONE, next);
    }

    /** A change of state alone. The memo goes when it has served. */
    public static Change of(KeyRecord seen, Next next) {
        boolean open = next instanceof Next.Held || next instanceof Next.InDoubt;
        return new Change(
                seen.fingerprint(),
                seen.token(),
                seen.attempt(),
                open && seen.remote(),
                open ? seen.memo() : Memo.NONE,
                seen.history(),
                next);
    }

    /** The same change, and a remark about it. */
    public Change remarked(Instant at, String by, String what) {
        return new Change(fingerprint, token, attempt, remote, memo, history.with(at, by, what), next);
    }

    /** The same change with another memo, and to another state. */
    public Change with(Memo memo, Next next) {
        return new Change(fingerprint, token, attempt, remote, memo, history, next);
    }

    /** The record that follows {@code seen} when this is written at this instant of the store's clock. */
    public KeyRecord after(KeyRecord seen, Instant now) {
        Instant unchanged = since();
        return new KeyRecord(
                seen.id(),
                fingerprint,
                token,
                attempt,
                seen.revision() + 1,
                unchanged == null ? now : unchanged,
                remote,
                memo,
                history,
                next.at(now));
    }

    /** When the state began that goes on; null when it begins with this change, as most do. */
    public @Nullable Instant since() {
        return switch (next) {
            case Next.Held held -> held.heldSince();
            case Next.InDoubt doubt -> doubt.doubtSince();
            case Next.Done done -> done.doneSince();
            case Next.Free free -> null;
        };
    }
}
