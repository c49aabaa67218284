package dev.semel.core.engine;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.History;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Memo;
import dev.semel.core.store.Change;
import dev.semel.core.store.Next;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has reserved.
 *
 * @param history what the record is to tell besides
 * @param found what was recorded of the key before; null when nothing
 * @param began when the transaction began
 */
record JoinedHold(
        KeyId id,
        Fingerprint fingerprint,
        long token,
        int attempt,
        History history,
        @Nullable KeyRecord found,
        Instant began) {

    Change becoming(Next.Done done) {
        return new Change(fingerprint, token, attempt, false, Memo.NONE, history, done);
    }
}
