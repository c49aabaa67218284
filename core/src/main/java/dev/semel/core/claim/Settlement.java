package dev.semel.core.claim;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.StoreException;

/** What became of a holder's word about its operation. */
public sealed interface Settlement {

    /** Durable: this is what the store has now. */
    record Accepted(KeyRecord record) implements Settlement {}

    /** The key has another holder, or another end; nothing was written. */
    record Superseded() implements Settlement {}

    /** The store did not answer in time. Semel keeps trying in the background; until then nobody may rely on it. */
    record Unrecorded(StoreException cause) implements Settlement {}
}
