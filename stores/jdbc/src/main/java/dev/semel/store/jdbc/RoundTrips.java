package dev.semel.store.jdbc;

import dev.semel.core.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * One statement at a time: a connection, one round trip, and the connection back. Nothing is left behind in the session,
 * so that any connection will do, also one that a pooler hands out per transaction.
 */
final class RoundTrips {
    interface Filling {
        void fill(Parameters parameters) throws SQLException;
    }

    interface Reading<T> {
        T read(ResultSet rows) throws SQLException;
    }

    /** For what no request waits for, and may take its time on a large table. */
    private static final Duration UNHURRIED = Duration.ofSeconds(5);

    private static final Duration UNHURRIED_SOCKET = Duration.ofSeconds(10);

    private final DataSource database;
    private final int timeoutSeconds;
    private final int socketMillis;
    private final Silence silence;

    private RoundTrips(DataSource database, Duration timeout, int socketMillis, Silence silence) {
        this.database = database;
        this.timeoutSeconds = Math.toIntExact(timeout.toSeconds());
        this.socketMillis = socketMillis;
        this.silence = silence;
    }

    RoundTrips(DataSource database, Duration timeout) {
        this(database, timeout, 0, new Silence());
    }

    /** The same for what no request waits for. */
    RoundTrips unhurried() {
        return new RoundTrips(database, UNHURRIED, (int) UNHURRIED_SOCKET.toMillis(), silence);
    }

    <T> T read(String sql, Filling filling, Reading<T> reading) {
        try (Connection connection = connect();
                PreparedStatement statement = prepare(connection, sql, filling);
                ResultSet rows = statement.executeQuery()) {
            T answer = reading.read(rows);
            silence.answered();
            return answer;
        } catch (SQLException e) {
            silence.failed(e);
            throw PostgresFailures.ofRead(e);
        }
    }

    <T> T write(String sql, Filling filling, Reading<T> reading) {
        try (Connection connection = connect();
                PreparedStatement statement = prepare(connection, sql, filling);
                ResultSet rows = statement.executeQuery()) {
            T answer = reading.read(rows);
            silence.answered();
            if (PostgresFailures.lacksStandby(statement.getWarnings()))
                throw StoreException.unknown("The write is committed, but no standby has confirmed it.", null);
            return answer;
        } catch (SQLException e) {
            silence.failed(e);
            throw PostgresFailures.ofWrite(e);
        }
    }

    private Connection connect() {
        silence.check();
        try {
            return database.getConnection();
        } catch (SQLException e) {
            throw StoreException.notApplied("No connection to the database: " + PostgresFailures.ofConnecting(e), e);
        }
    }

    private PreparedStatement prepare(Connection connection, String sql, Filling filling) throws SQLException {
        // A caller's pool may have it off by default, and then nothing would ever be committed.
        if (!connection.getAutoCommit()) connection.setAutoCommit(true);
        // The pool takes its own time back when the connection is returned.
        if (socketMillis > 0 && connection.getNetworkTimeout() > 0)
            connection.setNetworkTimeout(Runnable::run, socketMillis);
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setQueryTimeout(timeoutSeconds);
        filling.fill(new Parameters(statement));
        return statement;
    }
}
