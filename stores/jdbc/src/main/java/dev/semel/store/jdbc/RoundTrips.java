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

    private final DataSource database;
    private final int timeoutSeconds;

    RoundTrips(DataSource database, Duration timeout) {
        this.database = database;
        this.timeoutSeconds = Math.toIntExact(timeout.toSeconds());
    }

    <T> T read(String sql, Filling filling, Reading<T> reading) {
        try (Connection connection = connect();
                PreparedStatement statement = prepare(connection, sql, filling);
                ResultSet rows = statement.executeQuery()) {
            return reading.read(rows);
        } catch (SQLException e) {
            throw PostgresFailures.ofRead(e);
        }
    }

    <T> T write(String sql, Filling filling, Reading<T> reading) {
        try (Connection connection = connect();
                PreparedStatement statement = prepare(connection, sql, filling);
                ResultSet rows = statement.executeQuery()) {
            T answer = reading.read(rows);
            if (PostgresFailures.lacksStandby(statement.getWarnings()))
                throw StoreException.unknown("The write is committed, but no standby has confirmed it.", null);
            return answer;
        } catch (SQLException e) {
            throw PostgresFailures.ofWrite(e);
        }
    }

    private Connection connect() {
        try {
            return database.getConnection();
        } catch (SQLException e) {
            throw StoreException.notApplied("No connection to the database: " + PostgresFailures.ofConnecting(e), e);
        }
    }

    private PreparedStatement prepare(Connection connection, String sql, Filling filling) throws SQLException {
        // A caller's pool may have it off by default, and then nothing would ever be committed.
        if (!connection.getAutoCommit()) connection.setAutoCommit(true);
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setQueryTimeout(timeoutSeconds);
        filling.fill(new Parameters(statement));
        return statement;
    }
}
