package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.Seen;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keys in a transaction of the caller's, on MariaDB. A key is reserved by a row that the transaction inserts and deletes at once:
 * nobody sees it, nothing is left of it, and until the transaction ends nobody else can insert it. No statement here waits for a
 * lock, so no deadlock begins here: who finds a key taken tries again after a pause, inside the server.
 *
 * <p>A savepoint tells whether it is still the same transaction: it goes with it, however that ended. Its
 * name is what is given as the transaction's beginning.
 */
final class MariaDbJoining extends JdbcJoining {
    private static final int NO_TABLE = 1146;
    private static final int NO_DATABASE = 1046;
    private static final int NO_SAVEPOINT = 1305;
    private static final int DEADLOCK = 1213;
    private static final int CHANGED_SINCE_READ = 1020;
    private static final int SYNTAX = 1064;

    /** No two savepoints of a connection have the same name, also where a proxy lends it to several processes. */
    private static final AtomicLong SAVEPOINTS =
            new AtomicLong(ThreadLocalRandom.current().nextLong(1L << 50));

    private final MariaDbJoiningSql sql;

    MariaDbJoining(MariaDbJoiningSql sql) {
        this.sql = sql;
    }

    @Override
    public Joined join(Connection transaction, KeyId id, Duration atMost) {
        Instant began = Instant.EPOCH.plus(SAVEPOINTS.incrementAndGet(), ChronoUnit.MICROS);
        try (Statement statement = transaction.createStatement();
                ResultSet row = result(statement, sql.join(id, patience(transaction, atMost), began))) {
            // No row: it was forgotten between two looks.
            int found = row.next() ? row.getInt("found") : MariaDbJoiningSql.BUSY;
            if (found == MariaDbJoiningSql.BUSY) return new Joined.Busy();
            Instant now = MicrosRows.INSTANCE.instant(row, "now");
            if (found == MariaDbJoiningSql.ABSENT) return new Joined.Alone(null, now, began);
            return new Joined.Alone(KeyRows.check(new Seen(MicrosRows.INSTANCE.record(row), now), id), now, began);
        } catch (SQLException e) {
            throw failed("A key could not be claimed in the transaction", e);
        }
    }

    @Override
    public @Nullable KeyRecord record(
            Connection transaction, KeyId id, @Nullable KeyRecord seen, Instant began, Change change) {
        Change stored = StateColumns.asStored(change);
        try (Statement statement = transaction.createStatement();
                ResultSet row = result(statement, sql.record(id, seen, began, stored, outcomeOf(stored)))) {
            row.next();
            if (row.getInt("written") == 0) return null;
            return after(id, seen, stored, MicrosRows.INSTANCE.instant(row, "now"));
        } catch (SQLException e) {
            if (e.getErrorCode() == NO_SAVEPOINT)
                throw ended(
                        "The effect has ended the transaction that it was a part of, by a commit or a rollback of its"
                            + " own, or by a statement that commits, such as create table; or the server has, because"
                            + " of a deadlock that the effect did not pass on.");
            throw failed("The outcome could not be recorded in the transaction", e);
        }
    }

    private static ResultSet result(Statement statement, String sql) throws SQLException {
        boolean rows = statement.execute(sql);
        while (!rows) {
            if (statement.getUpdateCount() < 0) throw new SQLException("The statement gave no rows.");
            rows = statement.getMoreResults();
        }
        return statement.getResultSet();
    }

    @Override
    String hint(SQLException failure) {
        return switch (failure.getErrorCode()) {
            case NO_TABLE, NO_DATABASE -> NO_TABLES;
            case DEADLOCK, CHANGED_SINCE_READ ->
                "the server has rolled back the whole transaction, nothing of it is left, and a retry is safe: ";
            case SYNTAX -> "a session with sql_mode=ORACLE, or a server that is not MariaDB, does not understand it: ";
            default -> "";
        };
    }

    /**
     * MariaDB has no way to let a commit fail. So what the transaction did is undone at once, and its connection is cut off: who
     * commits nevertheless gets an error, and so does who rolls back.
     */
    @Override
    public void forbidCommit(Connection transaction, String reason) {
        try (Statement statement = transaction.createStatement()) {
            statement.execute("rollback");
        } catch (SQLException gone) {
            // What has no connection any more is rolled back by the server.
        }
        cutOff(transaction, reason);
    }
}
