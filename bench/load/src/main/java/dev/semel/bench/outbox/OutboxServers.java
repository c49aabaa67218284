package dev.semel.bench.outbox;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.UnaryOperator;

/**
 * What all outboxes run on.
 *
 * @param database the JDBC URL of a database by its name
 * @param databasePid the process of the database
 * @param kafka its bootstrap servers
 * @param kafkaPid its process
 */
public record OutboxServers(UnaryOperator<String> database, long databasePid, String kafka, long kafkaPid) {
    private static final String FIRST = "postgres";

    /** @return the JDBC URL of a new database */
    String newDatabase(String name) throws SQLException {
        execute(database.apply(FIRST), "create database " + name);
        return database.apply(name);
    }

    static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** How many bytes of WAL were ever written. */
    long walBytes() throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.apply(FIRST));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select (pg_current_wal_insert_lsn() - '0/0')::bigint")) {
            row.next();
            return row.getLong(1);
        }
    }
}
