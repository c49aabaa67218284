package dev.semel.testkit.messaging;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** One PostgreSQL for all tests of this module, and how the contracts speak to it. */
final class PostgresScene implements BeforeAllCallback, AutoCloseable {
    static final String COUNT_OF_WAITING =
            "select count(*) from pg_locks where not granted and locktype = 'transactionid'";

    private static @Nullable PostgresServer server;

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot().getStore(Namespace.GLOBAL).getOrComputeIfAbsent(PostgresScene.class, key -> this);
    }

    private static synchronized PostgresServer server() {
        if (server == null)
            server = PostgresServer.startFromClassPath(
                    Path.of("target", "postgres-" + ProcessHandle.current().pid())
                            .toAbsolutePath(),
                    "max_connections=200",
                    "fsync=off");
        return server;
    }

    static HikariDataSource freshDatabase() throws SQLException {
        String name = "t" + UUID.randomUUID().toString().replace("-", "");
        try (Connection connection = DriverManager.getConnection(server().jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        }
        return pool(server().jdbcUrl(name));
    }

    static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(16);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(5000);
        return new HikariDataSource(config);
    }

    static void close(DataSource database) {
        ((HikariDataSource) database).close();
    }

    static void ageInbox(Connection connection, Duration by) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "update semel.inbox_window set began_at = began_at - interval '" + by.toSeconds() + " s'");
        }
    }

    @Override
    public void close() {
        synchronized (PostgresScene.class) {
            if (server != null) server.close();
            server = null;
        }
    }
}
