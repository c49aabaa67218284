package dev.semel.core.store;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyRecord;
import java.time.Instant;

/** What a record is to become. Decided by the engine's rules; a store writes it or does not, and decides nothing. */
public record Change(Fingerprint fingerprint, long token, int attempt, Next next) {

    /** A change of state alone. */
    public static Change of(KeyRecord seen, Next next) {
        return new Change(seen.fingerprint(), seen.token(), seen.attempt(), next);
    }

    /** The record that follows {@code seen} when this is written at this instant of the store's clock. */
    public KeyRecord after(KeyRecord seen, Instant now) {
        Instant since = next instanceof Next.Held held && held.heldSince() != null ? held.heldSince() : now;
        return new KeyRecord(seen.id(), fingerprint, token, attempt, seen.revision() + 1, since, next.at(now));
    }
}
