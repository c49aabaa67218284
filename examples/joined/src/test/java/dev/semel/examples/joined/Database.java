package dev.semel.examples.joined;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

/** A real PostgreSQL, and a pool of connections to it as an application has. */
public final class Database implements AutoCloseable {
    private final PostgresServer server;
    private final HikariDataSource pool;

    private Database(PostgresServer server, HikariDataSource pool) {
        this.server = server;
        this.pool = pool;
    }

    public static Database start() throws IOException {
        Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target", "postgres-data")), "run");
        PostgresServer server = PostgresServer.startFromClassPath(folder, "fsync=off");
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.jdbcUrl());
        config.setMaximumPoolSize(20);
        return new Database(server, new HikariDataSource(config));
    }

    public HikariDataSource pool() {
        return pool;
    }

    public String url() {
        return server.jdbcUrl();
    }

    public void execute(String... statements) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String each : statements) statement.execute(each);
        }
    }

    public String one(String query) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    /** An event of the database's that nobody is told of. */
    public void await(String query, String answer) throws SQLException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!one(query).equals(answer)) {
            if (System.nanoTime() > deadline) throw new AssertionError("never " + answer + ": " + query);
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        pool.close();
        server.close();
    }
}
