package dev.semel.core.store;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Claims and outcomes as a part of the caller's own database transaction: what the caller commits or rolls back, it
 * commits or rolls back with it. Nothing is written by a claim; the outcome is one row, written right after the effect.
 *
 * <p>Everything is said through the caller's connection, which must have a transaction open. Nothing here but {@link
 * #forbidCommit} ends that transaction, and no answer but an exception leaves it unable to commit.
 */
public interface JoiningKeyStore {

    /** What {@link #join} found. */
    sealed interface Joined {
        /**
         * Until its transaction ends, nobody else joins this key. (A finished key whose outcome is still given need not be
         * reserved: it does not change.)
         *
         * @param seen what is recorded of the key; null when nothing is
         * @param now the store's clock
         * @param began tells the caller's transaction from all others of its connection, for {@link #record}; where the
         *     database knows it, when that transaction began
         */
        record Alone(@Nullable Seen seen, Instant now, Instant began) implements Joined {}

        /** Another open transaction has the key, and has not ended in time. */
        record Busy() implements Joined {}
    }

    /**
     * Reserves a key for this transaction, which takes one statement. While another transaction has it, waits inside
     * the database until that one ends, so long at most. Reserving a key again in the same transaction is {@code Alone} too.
     */
    Joined join(Connection transaction, KeyId id, Duration atMost);

    /**
     * Records what a reserved key becomes, which takes one statement.
     *
     * @param seen what {@link #join} found, or what has been read of the key since; null when nothing
     * @param began as {@link #join} told it
     * @param change to a finished key
     * @throws IllegalStateException when it is not the same transaction any more: the effect has ended it, and what it
     *     did before is committed or lost
     * @return null when someone else has written the key meanwhile, and so nothing was written: the transaction must then
     *     not be committed
     */
    @Nullable
    KeyRecord record(Connection transaction, KeyId id, @Nullable KeyRecord seen, Instant began, Change change);

    /**
     * The same, and commits the transaction: in one round trip where the database can.
     *
     * @return null when someone else has written the key meanwhile; nothing is committed then
     * @throws StoreException of an unknown fate when the answer to the commit is lost; otherwise nothing is committed
     */
    default @Nullable KeyRecord recordAndCommit(
            Connection transaction, KeyId id, @Nullable KeyRecord seen, Instant began, Change change) {
        KeyRecord written = record(transaction, id, seen, began, change);
        if (written == null) return null;
        try {
            transaction.commit();
        } catch (SQLException e) {
            throw StoreException.unknown("The transaction may not be committed: " + e.getMessage(), e);
        }
        return written;
    }

    /**
     * Makes sure that nothing of this transaction is ever committed, whatever its owner does: its commit fails. Where the
     * database can refuse a commit, it says why, and rolling back to a savepoint from before the claim lifts it, for that
     * undoes the effect too. Where it cannot, the transaction is rolled back and its connection ended.
     */
    void forbidCommit(Connection transaction, String reason);
}
