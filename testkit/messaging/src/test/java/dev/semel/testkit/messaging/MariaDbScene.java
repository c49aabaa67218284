package dev.semel.testkit.messaging;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testkit.mariadb.MariaDbServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** One MariaDB for all tests of this module, and how the contracts speak to it. Nobody pulls its plug, so it need not wait for the disk. */
final class MariaDbScene implements BeforeAllCallback, AutoCloseable {
    static final String COUNT_OF_WAITING = "select variable_value from information_schema.global_status"
            + " where variable_name = 'INNODB_ROW_LOCK_CURRENT_WAITS'";

    private static @Nullable MariaDbServer server;

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot().getStore(Namespace.GLOBAL).getOrComputeIfAbsent(MariaDbScene.class, key -> this);
    }

    private static synchronized MariaDbServer server() {
        if (server == null)
            server = MariaDbServer.start(
                    Path.of("target", "mariadb-" + ProcessHandle.current().pid())
                            .toAbsolutePath(),
                    "--innodb-flush-log-at-trx-commit=0",
                    "--max-connections=300");
        return server;
    }

    static String freshUrl() throws SQLException {
        String name = "t" + UUID.randomUUID().toString().replace("-", "");
        try (Connection connection = DriverManager.getConnection(server().jdbcUrl());
                Statement statement = connection.createStatement()) {
            // What people have: letters in it are the same whatever their case and accents.
            statement.execute("create database " + name + " character set utf8mb4 collate utf8mb4_general_ci");
        }
        return server().jdbcUrl(name);
    }

    static HikariDataSource freshDatabase() throws SQLException {
        return PostgresScene.pool(freshUrl());
    }

    static void ageInbox(Connection connection, Duration by) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("update semel_inbox_turn set began_at = began_at - " + by.toSeconds() * 1_000_000);
        }
    }

    @Override
    public void close() {
        synchronized (MariaDbScene.class) {
            if (server != null) server.close();
            server = null;
        }
    }
}
