package dev.semel.testkit.messaging;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the test of a database with messages says about it; each test has a new, empty one. */
public abstract class MessagingDatabaseScene {
    private DataSource database;

    /** A new database, with connections for a dozen threads. */
    protected abstract DataSource freshDatabase() throws Exception;

    /** The connections of {@link #freshDatabase} are not needed any more. */
    protected abstract void close(DataSource database) throws Exception;

    /** How a table of messaging is called here, such as {@code outbox}. */
    protected abstract String table(String name);

    /** Makes the turn of the inbox's tables older. */
    protected abstract void ageInbox(Connection connection, Duration by) throws SQLException;

    /** How many transactions wait for another one. */
    protected abstract String countOfWaiting();

    @BeforeEach
    final void openDatabase() throws Exception {
        database = freshDatabase();
    }

    @AfterEach
    final void closeDatabase() throws Exception {
        close(database);
    }

    protected final DataSource database() {
        return database;
    }

    protected final Connection transaction() throws SQLException {
        Connection connection = database.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    protected final void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    protected final String one(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }

    /** Until somebody waits inside the database. */
    protected final void awaitLockWait() throws SQLException {
        await(() -> !one(countOfWaiting()).equals("0"));
    }

    /** What is waited for. */
    protected interface Condition {
        boolean holds() throws SQLException;
    }

    protected static void await(Condition condition) throws SQLException {
        while (!condition.holds()) {
            if (Thread.currentThread().isInterrupted()) throw new IllegalStateException("interrupted while waiting");
            LockSupport.parkNanos(2_000_000);
        }
    }
}
