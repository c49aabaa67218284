package dev.semel.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A look into the database that shares no code with the store. */
record Sql(String url) {

    static Sql on(String url) {
        return new Sql(url);
    }

    /** The address of an empty database that nobody else has. */
    static String freshDatabase(PostgresServer server) throws SQLException {
        String name = "t" + UUID.randomUUID().toString().replace("-", "");
        on(server.jdbcUrl()).execute("create database " + name);
        return server.jdbcUrl(name);
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    /** A pool of connections to the same database. */
    HikariDataSource pool() {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        return pool;
    }

    /** Gives this connection to whoever asks. */
    @SuppressWarnings("serial")
    static DataSource only(Connection connection) {
        return new PGSimpleDataSource() {
            @Override
            public Connection getConnection() {
                return connection;
            }
        };
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) statement.execute(sql);
        }
    }

    /** Each row as its values in text, with a bar between them. */
    List<String> rows(String query) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> read = new ArrayList<>();
            while (rows.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) values.add(rows.getString(i));
                read.add(String.join("|", values));
            }
            return read;
        }
    }

    String one(String query) throws SQLException {
        return rows(query).getFirst();
    }
}
