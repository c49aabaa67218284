package dev.semel.bench.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** How many statements the server has executed, by its own count. Each is a transaction and a round trip here. */
final class StatementCounter implements AutoCloseable {
    private static final String CALLS =
            "select coalesce(sum(calls), 0) from pg_stat_statements where query not like '%pg_stat_statements%'";

    private final Connection connection;

    private StatementCounter(Connection connection) {
        this.connection = connection;
    }

    static StatementCounter of(DataSource database) throws SQLException {
        Connection connection = database.getConnection();
        try (Statement statement = connection.createStatement()) {
            statement.execute("create extension if not exists pg_stat_statements");
        }
        return new StatementCounter(connection);
    }

    long now() {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(CALLS)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException("The server does not tell how many statements it executed.", e);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
