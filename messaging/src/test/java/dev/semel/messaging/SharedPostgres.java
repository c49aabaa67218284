package dev.semel.messaging;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** One server for all tests of this module, and a new database for each that asks. */
public final class SharedPostgres implements BeforeAllCallback, AutoCloseable {
    private static @Nullable PostgresServer server;

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot().getStore(Namespace.GLOBAL).getOrComputeIfAbsent(SharedPostgres.class, key -> this);
    }

    static synchronized PostgresServer server() {
        if (server == null)
            server = PostgresServer.startFromClassPath(
                    Path.of("target", "postgres-" + ProcessHandle.current().pid())
                            .toAbsolutePath(),
                    "max_connections=200",
                    "max_prepared_transactions=10");
        return server;
    }

    public static String freshUrl() throws SQLException {
        String name = "t" + UUID.randomUUID().toString().replace("-", "");
        try (Connection connection = DriverManager.getConnection(server().jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        }
        return server().jdbcUrl(name);
    }

    public static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(8);
        return new HikariDataSource(config);
    }

    @Override
    public void close() {
        synchronized (SharedPostgres.class) {
            if (server != null) server.close();
            server = null;
        }
    }
}
