package dev.semel.core.engine;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.History;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Memo;
import dev.semel.core.store.Change;
import dev.semel.core.store.Next;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has reserved.
 *
 * @param found what was recorded of the key before; null when nothing
 */
record JoinedHold(
        KeyId id,
        Fingerprint fingerprint,
        long token,
        int attempt,
        @Nullable KeyRecord found) {

    Change becoming(Next.Done done) {
        History history = found == null ? History.NONE : found.history();
        return new Change(fingerprint, token, attempt, false, Memo.NONE, history, done);
    }
}
