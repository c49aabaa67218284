package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.JoiningKeyStore;
import dev.semel.core.store.Next;
import dev.semel.core.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Keys in a transaction of the caller's: what databases share. */
abstract class JdbcJoining implements JoiningKeyStore {
    static final String NO_TABLES = "the tables of Semel are not in the database or schema of this connection: ";

    /** In milliseconds. A wait that is longer than its connection may be silent would end the connection. */
    static long patience(Connection transaction, Duration atMost) throws SQLException {
        long silence = transaction.getNetworkTimeout();
        return Math.min(atMost.toMillis(), silence > 0 ? silence * 3 / 4 : Integer.MAX_VALUE);
    }

    static Next.Done outcomeOf(Change change) {
        if (change.next() instanceof Next.Done done) return done;
        throw new IllegalArgumentException("Only an outcome is recorded in a transaction.");
    }

    /** What a key has become by the change that was recorded in the transaction. */
    static KeyRecord after(KeyId id, @Nullable KeyRecord seen, Change stored, Instant now) {
        if (seen != null) return stored.after(seen, now);
        return new KeyRecord(
                id,
                stored.fingerprint(),
                stored.token(),
                stored.attempt(),
                stored.token(),
                now,
                stored.remote(),
                stored.memo(),
                stored.history(),
                stored.next().at(now));
    }

    static IllegalStateException ended(String by) {
        return new IllegalStateException(by + " What it committed is not protected: a retry runs it again. Nobody but"
                + " who joined the operation to a transaction may end that.");
    }

    /** What the database says of it, in words that help. Empty where its own words do. */
    abstract String hint(SQLException failure);

    /** Nothing of a transaction is there before its commit, and after an error there is no commit. */
    final StoreException failed(String what, SQLException failure) {
        return StoreException.notApplied(
                what + ", which must be rolled back: " + hint(failure) + failure.getMessage(), failure);
    }

    /** What has no connection cannot be committed. */
    static void cutOff(Connection transaction, String reason) {
        try {
            transaction.abort(Runnable::run);
        } catch (SQLException e) {
            throw StoreException.notApplied(
                    "The transaction holds an effect without its outcome, and must be rolled back (" + reason + "): "
                            + e.getMessage(),
                    e);
        }
    }
}
