package dev.semel.store.jdbc;

import dev.semel.core.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Runs one statement at a time: takes a connection, makes one round trip, and gives the connection back. Nothing is left behind in the session,
 * so that any connection will do, also one that a pooler hands out per transaction.
 */
final class StatementExecutor {
    interface ParameterSetter {
        void set(Parameters parameters) throws SQLException;
    }

    interface ResultsReader<T> {
        T read(Statement executed) throws SQLException;
    }

    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    interface ResultReader<T> {
        T read(ResultSet rows) throws SQLException;
    }

    /** For statements that no request waits for, and that may take long on a large table. */
    private static final Duration BACKGROUND_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration BACKGROUND_SOCKET_TIMEOUT = Duration.ofSeconds(10);

    private final DataSource connections;
    private final SqlFailures failures;
    private final int timeoutSeconds;
    private final int socketMillis;
    private final HangDetector hangs;

    private StatementExecutor(
            DataSource connections, SqlFailures failures, Duration timeout, int socketMillis, HangDetector hangs) {
        this.connections = connections;
        this.failures = failures;
        this.timeoutSeconds = Math.toIntExact(timeout.toSeconds());
        this.socketMillis = socketMillis;
        this.hangs = hangs;
    }

    StatementExecutor(DataSource connections, SqlFailures failures, Duration timeout) {
        this(connections, failures, timeout, 0, new HangDetector());
    }

    /** The same with longer timeouts, for statements that no request waits for. */
    StatementExecutor forBackgroundWork() {
        return new StatementExecutor(
                connections, failures, BACKGROUND_TIMEOUT, (int) BACKGROUND_SOCKET_TIMEOUT.toMillis(), hangs);
    }

    <T> T read(String sql, ParameterSetter parameters, ResultReader<T> reader) {
        try (Connection connection = connect();
                PreparedStatement statement = prepare(connection, sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            T result = reader.read(rows);
            hangs.answered();
            return result;
        } catch (SQLException e) {
            hangs.failed(e);
            throw failures.ofRead(e);
        }
    }

    <T> T write(String sql, ParameterSetter parameters, ResultReader<T> reader) {
        try (Connection connection = connect();
                PreparedStatement statement = prepare(connection, sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            T result = reader.read(rows);
            hangs.answered();
            if (failures.lacksDurability(statement.getWarnings()))
                throw StoreException.unknown("The write is committed, but no standby has confirmed it.", null);
            return result;
        } catch (SQLException e) {
            hangs.failed(e);
            throw failures.ofWrite(e);
        }
    }

    /** @return how many rows it changed */
    long update(String sql, ParameterSetter parameters) {
        try (Connection connection = connect();
                PreparedStatement statement = prepare(connection, sql, parameters)) {
            long changed = statement.executeLargeUpdate();
            hangs.answered();
            return changed;
        } catch (SQLException e) {
            hangs.failed(e);
            throw failures.ofWrite(e);
        }
    }

    /** Runs this on one connection, in a transaction of its own. */
    <T> T inTransaction(Work<T> work) {
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            try {
                T result = work.on(connection);
                connection.commit();
                hangs.answered();
                return result;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            hangs.failed(e);
            throw failures.ofWrite(e);
        }
    }

    /**
     * Runs several statements that are sent together. Should one fail, what the transaction among them did is rolled back.
     *
     * @param reader gets the statement when it has been executed, with all its results
     */
    <T> T writeTogether(String sql, ParameterSetter parameters, ResultsReader<T> reader) {
        try (Connection connection = connect();
                PreparedStatement statement = prepare(connection, sql, parameters)) {
            T result = together(connection, statement, reader);
            hangs.answered();
            return result;
        } catch (SQLException e) {
            hangs.failed(e);
            throw failures.ofWrite(e);
        }
    }

    private static <T> T together(Connection connection, PreparedStatement statement, ResultsReader<T> reader)
            throws SQLException {
        try {
            statement.execute();
            return reader.read(statement);
        } catch (SQLException e) {
            endTransaction(connection);
            throw e;
        }
    }

    /** The pool does not know of a transaction that was begun by a statement, and would hand it on. */
    private static void endTransaction(Connection connection) throws SQLException {
        try (Statement rollback = connection.createStatement()) {
            rollback.execute("rollback");
        } catch (SQLException e) {
            connection.abort(Runnable::run);
        }
    }

    private Connection connect() {
        hangs.check();
        try {
            return connections.getConnection();
        } catch (SQLException e) {
            throw StoreException.notApplied("No connection to the database: " + SqlFailures.ofConnecting(e), e);
        }
    }

    private PreparedStatement prepare(Connection connection, String sql, ParameterSetter parameters)
            throws SQLException {
        // A caller's pool may have it off by default, and then nothing would ever be committed.
        if (!connection.getAutoCommit()) connection.setAutoCommit(true);
        // The pool takes its own time back when the connection is returned.
        if (socketMillis > 0 && connection.getNetworkTimeout() > 0)
            connection.setNetworkTimeout(Runnable::run, socketMillis);
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setQueryTimeout(timeoutSeconds);
        parameters.set(new Parameters(statement));
        return statement;
    }
}
