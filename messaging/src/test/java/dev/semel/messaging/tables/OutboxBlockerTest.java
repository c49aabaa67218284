package dev.semel.messaging.tables;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.SharedPostgres;
import dev.semel.messaging.tables.OutboxStatus.Blocker;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who keeps the outbox from being cleaned up is named. */
@ExtendWith(SharedPostgres.class)
@Timeout(60)
class OutboxBlockerTest {
    private String url;
    private HikariDataSource database;

    @BeforeEach
    void open() throws SQLException {
        url = SharedPostgres.freshUrl();
        database = SharedPostgres.pool(url);
        new PostgresOutboxTables().migrate(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void a_writer_in_another_database_is_named() throws Exception {
        assertNamed(SharedPostgres.freshUrl(), Connection.TRANSACTION_READ_COMMITTED, "select pg_current_xact_id()");
    }

    @Test
    void a_reader_that_sees_the_past_is_named() throws Exception {
        assertNamed(url, Connection.TRANSACTION_REPEATABLE_READ, "select count(*) from semel.outbox");
    }

    @Test
    void a_transaction_that_has_neither_read_nor_written_is_not() throws Exception {
        try (Connection other = begun(url, Connection.TRANSACTION_READ_COMMITTED, "set local lock_timeout = 0")) {
            Blocker blocker = blocker();
            assertTrue(blocker == null || !blocker.what().contains("month-end"), String.valueOf(blocker));
            other.rollback();
        }
    }

    private void assertNamed(String where, int isolation, String sql) throws SQLException {
        try (Connection other = begun(where, isolation, sql)) {
            Blocker blocker = blocker();
            while (blocker == null) blocker = blocker();
            assertTrue(blocker.what().contains("(month-end), idle in transaction"), blocker.what());
            other.rollback();
        }
        Blocker after = blocker();
        if (after != null) assertTrue(!after.what().contains("month-end"), after.what());
    }

    private static Connection begun(String where, int isolation, String sql) throws SQLException {
        Connection other =
                DriverManager.getConnection(where + (where.contains("?") ? "&" : "?") + "ApplicationName=month-end");
        other.setTransactionIsolation(isolation);
        other.setAutoCommit(false);
        try (Statement statement = other.createStatement()) {
            statement.execute(sql);
        }
        return other;
    }

    private @Nullable Blocker blocker() throws SQLException {
        try (Connection connection = database.getConnection()) {
            return PostgresOutboxStatus.read(connection, PostgresSchema.USUAL, Duration.ZERO)
                    .blocker();
        }
    }
}
