package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
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
final class PostgresJoining extends JdbcJoining {
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

    @Override
    public @Nullable KeyRecord record(
            Connection transaction, KeyId id, @Nullable KeyRecord seen, Instant began, Change change) {
        Change stored = StateColumns.asStored(change);
        try (PreparedStatement statement = transaction.prepareStatement(PostgresSql.RECORD)) {
            setOutcome(statement, id, seen, began, stored);
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) return after(id, seen, stored, PostgresRows.INSTANCE.instant(row, "now"));
            }
            requireSame(transaction, began);
            return null;
        } catch (SQLException e) {
            throw failed("The outcome could not be recorded in the transaction", e);
        }
    }

    /** Both statements are sent at once: the second is not executed when the first fails. */
    @Override
    public @Nullable KeyRecord recordAndCommit(
            Connection transaction, KeyId id, @Nullable KeyRecord seen, Instant began, Change change) {
        Change stored = StateColumns.asStored(change);
        try (PreparedStatement statement = transaction.prepareStatement(PostgresSql.RECORD_AND_COMMIT)) {
            setOutcome(statement, id, seen, began, stored).number(Micros.of(began));
            return recordedAndCommitted(statement, id, seen, stored);
        } catch (SQLException e) {
            throw failed("The outcome could not be recorded in the transaction", e);
        }
    }

    private static @Nullable KeyRecord recordedAndCommitted(
            PreparedStatement statement, KeyId id, @Nullable KeyRecord seen, Change stored) throws SQLException {
        try {
            statement.execute();
        } catch (SQLException e) {
            String said = String.valueOf(e.getMessage());
            if (said.contains(PostgresSql.MOVED_ON)) return null;
            if (said.contains(PostgresSql.NOT_THE_SAME)) throw notTheSame();
            if (PostgresFailures.INSTANCE.applied(e) == StoreException.Applied.NO) throw e;
            throw StoreException.unknown("The answer to the commit is lost: " + e.getMessage(), e);
        }
        if (PostgresFailures.INSTANCE.lacksDurability(statement.getWarnings()))
            throw StoreException.unknown("The transaction is committed, but no standby has confirmed it.", null);
        try (ResultSet row = statement.getResultSet()) {
            row.next();
            return after(id, seen, stored, PostgresRows.INSTANCE.instant(row, "now"));
        } catch (SQLException e) {
            throw StoreException.unknown("The transaction is committed, but what was said of it cannot be read.", e);
        }
    }

    private static Parameters setOutcome(
            PreparedStatement statement, KeyId id, @Nullable KeyRecord seen, Instant began, Change stored)
            throws SQLException {
        Next.Done done = outcomeOf(stored);
        return new Parameters(statement)
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
    }

    private static void requireSame(Connection transaction, Instant began) throws SQLException {
        try (PreparedStatement statement = transaction.prepareStatement(PostgresSql.SAME_TRANSACTION)) {
            new Parameters(statement).number(Micros.of(began));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                if (row.getBoolean(1)) return;
            }
        }
        throw notTheSame();
    }

    private static IllegalStateException notTheSame() {
        return ended(
                "The effect has ended the transaction that it was a part of, by a commit or a rollback of its own.");
    }

    @Override
    String hint(SQLException failure) {
        return switch (String.valueOf(failure.getSQLState())) {
            case NO_FUNCTION -> NO_TABLES;
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
            if (goesOn(transaction)) cutOff(transaction, reason);
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
}
