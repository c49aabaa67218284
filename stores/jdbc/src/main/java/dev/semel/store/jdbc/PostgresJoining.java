package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.JoiningKeyStore;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Keys in a transaction of the caller's. A key is reserved by an advisory lock, which ends with the transaction; that nobody
 * else has written it is checked by the statement that records its outcome.
 */
final class PostgresJoining implements JoiningKeyStore {
    /** What a statement says of a function or table that is not there. */
    private static final String NO_FUNCTION = "42883";

    /** And when the server has no room for another lock. */
    private static final String OUT_OF_MEMORY = "53200";

    /** What the lock of a key is called in the database; the same in every program. */
    static long lockOf(KeyId id) {
        return ByteBuffer.wrap(id.digest()).getLong();
    }

    @Override
    public Joined join(Connection transaction, KeyId id, Duration atMost) {
        try (PreparedStatement statement = transaction.prepareStatement(PostgresSql.JOIN)) {
            new Parameters(statement)
                    .bytes(id.digest())
                    .number(lockOf(id))
                    .number(Math.min(atMost.toMillis(), Integer.MAX_VALUE));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                if (row.getInt("state") == PostgresSql.BUSY) return new Joined.Busy();
                Instant now = KeyRows.instant(row, "now");
                if (row.getBytes("fingerprint") == null) return new Joined.Alone(null, now);
                return new Joined.Alone(KeyRows.check(new Seen(KeyRows.record(row), now), id), now);
            }
        } catch (SQLException e) {
            throw failed("A key could not be claimed in the transaction", e);
        }
    }

    @Override
    public @Nullable KeyRecord record(Connection transaction, KeyId id, @Nullable KeyRecord seen, Change change) {
        Change stored = StateColumns.asStored(change);
        if (!(stored.next() instanceof Next.Done done))
            throw new IllegalArgumentException("Only an outcome is recorded in a transaction.");
        try (PreparedStatement statement =
                transaction.prepareStatement(seen == null ? PostgresSql.RECORD_FIRST : PostgresSql.RECORD_OVER)) {
            Parameters parameters = new Parameters(statement);
            if (seen == null) {
                parameters
                        .bytes(id.digest())
                        .text(id.tenant())
                        .text(id.operation())
                        .text(id.key());
                outcome(parameters, stored, done, stored.token());
            } else {
                outcome(parameters, stored, done, seen.revision() + 1);
                parameters.bytes(id.digest()).number(seen.revision());
            }
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? after(id, seen, stored, KeyRows.instant(row, "now")) : null;
            }
        } catch (SQLException e) {
            throw failed("The outcome could not be recorded in the transaction", e);
        }
    }

    private static void outcome(Parameters parameters, Change stored, Next.Done done, long revision)
            throws SQLException {
        parameters
                .bytes(stored.fingerprint().bytes())
                .number(stored.token())
                .number(revision)
                .number(stored.attempt())
                .bytes(done.outcome().encoded())
                .bytes(KeyRows.orNull(stored.history().bytes()))
                .number(Micros.of(done.retention()))
                .number(Micros.of(done.retention().plus(done.tombstone())));
    }

    private static KeyRecord after(KeyId id, @Nullable KeyRecord seen, Change stored, Instant now) {
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

    /** Nothing of a transaction is there before its commit, and after an error there is no commit. */
    private static StoreException failed(String what, SQLException failure) {
        return StoreException.notApplied(
                what + ", which must be rolled back: " + hint(failure) + failure.getMessage(), failure);
    }

    private static String hint(SQLException failure) {
        return switch (String.valueOf(failure.getSQLState())) {
            case NO_FUNCTION -> "the tables of Semel are not in the database or schema of this connection: ";
            case OUT_OF_MEMORY ->
                "every key that a transaction joins takes a lock until it ends, and the server has no more; commit more"
                        + " often, or raise max_locks_per_transaction: ";
            default -> "";
        };
    }

    @Override
    public void forbidCommit(Connection transaction, String reason) {
        try (PreparedStatement statement = transaction.prepareStatement(PostgresSql.FORBID_COMMIT)) {
            new Parameters(statement).text(reason);
            statement.executeUpdate();
        } catch (SQLException e) {
            // The transaction has failed, or its connection is gone: then the server will not commit it. But a driver
            // can be told to roll back a failed statement alone (autosave), and then the transaction goes on.
            if (goesOn(transaction)) cutOff(transaction);
        }
    }

    private static boolean goesOn(Connection transaction) {
        try (Statement statement = transaction.createStatement()) {
            statement.execute("select 1");
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    /** The last resort: what has no connection cannot be committed. */
    private static void cutOff(Connection transaction) {
        try {
            transaction.abort(Runnable::run);
        } catch (SQLException e) {
            throw StoreException.notApplied(
                    "The transaction holds an effect without its outcome, and must be rolled back: " + e.getMessage(),
                    e);
        }
    }
}
