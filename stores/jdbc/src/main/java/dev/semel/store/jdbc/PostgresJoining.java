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

    /** No record has it. */
    private static final long NO_REVISION = -1;

    /** What the lock of a key is called in the database; the same in every program. */
    static long lockOf(KeyId id) {
        return ByteBuffer.wrap(id.digest()).getLong();
    }

    @Override
    public Joined join(Connection transaction, KeyId id, Duration atMost) {
        try (PreparedStatement statement = transaction.prepareStatement(PostgresSql.JOIN)) {
            new Parameters(statement).bytes(id.digest()).number(lockOf(id)).number(patience(transaction, atMost));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                if (row.getInt("state") == PostgresSql.BUSY) return new Joined.Busy();
                Instant now = PostgresRows.INSTANCE.instant(row, "now");
                Instant began = PostgresRows.INSTANCE.instant(row, "began");
                if (row.getBytes("fingerprint") == null) return new Joined.Alone(null, now, began);
                return new Joined.Alone(
                        KeyRows.check(new Seen(PostgresRows.INSTANCE.record(row), now), id), now, began);
            }
        } catch (SQLException e) {
            throw failed("A key could not be claimed in the transaction", e);
        }
    }

    /** In milliseconds. A wait that is longer than its connection may be silent would end the connection. */
    private static long patience(Connection transaction, Duration atMost) throws SQLException {
        long silence = transaction.getNetworkTimeout();
        return Math.min(atMost.toMillis(), silence > 0 ? silence * 3 / 4 : Integer.MAX_VALUE);
    }

    @Override
    public @Nullable KeyRecord record(
            Connection transaction, KeyId id, @Nullable KeyRecord seen, Instant began, Change change) {
        Change stored = StateColumns.asStored(change);
        if (!(stored.next() instanceof Next.Done done))
            throw new IllegalArgumentException("Only an outcome is recorded in a transaction.");
        try (PreparedStatement statement = transaction.prepareStatement(PostgresSql.RECORD)) {
            new Parameters(statement)
                    .bytes(id.digest())
                    .text(id.tenant())
                    .text(id.operation())
                    .text(id.key())
                    .bytes(stored.fingerprint().bytes())
                    .number(stored.token())
                    .number(seen == null ? stored.token() : seen.revision() + 1)
                    .number(stored.attempt())
                    .bytes(done.outcome().encoded())
                    .bytes(KeyRows.orNull(stored.history().bytes()))
                    .number(Micros.of(done.retention()))
                    .number(Micros.of(done.retention().plus(done.tombstone())))
                    .number(Micros.of(began))
                    .number(seen == null ? NO_REVISION : seen.revision());
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) return after(id, seen, stored, PostgresRows.INSTANCE.instant(row, "now"));
            }
            requireSame(transaction, began);
            return null;
        } catch (SQLException e) {
            throw failed("The outcome could not be recorded in the transaction", e);
        }
    }

    private static void requireSame(Connection transaction, Instant began) throws SQLException {
        try (PreparedStatement statement = transaction.prepareStatement(PostgresSql.SAME_TRANSACTION)) {
            new Parameters(statement).number(Micros.of(began));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                if (row.getBoolean(1)) return;
            }
        }
        throw new IllegalStateException("The effect has ended the transaction that it was a part of, by a commit or a"
                + " rollback of its own. What it committed is not protected: a retry runs it again. Nobody but who"
                + " joined the operation to a transaction may end that.");
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
