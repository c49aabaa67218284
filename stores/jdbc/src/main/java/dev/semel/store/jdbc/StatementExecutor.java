package dev.semel.store.jdbc;

import dev.semel.core.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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

    interface ResultReader<T> {
        T read(ResultSet rows) throws SQLException;
    }

    /** For statements that no request waits for, and that may take long on a large table. */
    private static final Duration BACKGROUND_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration BACKGROUND_SOCKET_TIMEOUT = Duration.ofSeconds(10);

    private final DataSource connections;
    private final int timeoutSeconds;
    private final int socketMillis;
    private final HangDetector hangs;

    private StatementExecutor(DataSource connections, Duration timeout, int socketMillis, HangDetector hangs) {
        this.connections = connections;
        this.timeoutSeconds = Math.toIntExact(timeout.toSeconds());
        this.socketMillis = socketMillis;
        this.hangs = hangs;
    }

    StatementExecutor(DataSource connections, Duration timeout) {
        this(connections, timeout, 0, new HangDetector());
    }

    /** The same with longer timeouts, for statements that no request waits for. */
    StatementExecutor forBackgroundWork() {
        return new StatementExecutor(
                connections, BACKGROUND_TIMEOUT, (int) BACKGROUND_SOCKET_TIMEOUT.toMillis(), hangs);
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
            throw PostgresFailures.ofRead(e);
        }
    }

    <T> T write(String sql, ParameterSetter parameters, ResultReader<T> reader) {
        try (Connection connection = connect();
                PreparedStatement statement = prepare(connection, sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            T result = reader.read(rows);
            hangs.answered();
            if (PostgresFailures.lacksStandby(statement.getWarnings()))
                throw StoreException.unknown("The write is committed, but no standby has confirmed it.", null);
            return result;
        } catch (SQLException e) {
            hangs.failed(e);
            throw PostgresFailures.ofWrite(e);
        }
    }

    private Connection connect() {
        hangs.check();
        try {
            return connections.getConnection();
        } catch (SQLException e) {
            throw StoreException.notApplied("No connection to the database: " + PostgresFailures.ofConnecting(e), e);
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
