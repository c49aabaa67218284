package dev.semel.spring;

import dev.semel.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** A database of its own for a test, on one real server for all tests of this process. */
final class Database {
    private static final AtomicInteger MADE = new AtomicInteger();

    private static final class Shared {
        static final PostgresServer SERVER = start();

        private static PostgresServer start() {
            try {
                return PostgresServer.startFromClassPath(
                        Files.createTempDirectory("semel-spring"), "fsync=off", "max_connections=100");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final String url;

    private Database(String url) {
        this.url = url;
    }

    static Database fresh() throws SQLException {
        String name = "t" + MADE.incrementAndGet();
        new Database(Shared.SERVER.jdbcUrl()).run("create database " + name);
        Database made = new Database(Shared.SERVER.jdbcUrl(name));
        made.run("create table ledger (id serial primary key, what text not null)");
        return made;
    }

    /** Ends its connections too. */
    void drop() throws SQLException {
        String name = url.substring(url.lastIndexOf('/') + 1).replaceAll("[?].*", "");
        new Database(Shared.SERVER.jdbcUrl()).run("drop database " + name + " with (force)");
    }

    String url() {
        return url;
    }

    void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long count(String table) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from " + table)) {
            row.next();
            return row.getLong(1);
        }
    }
}
