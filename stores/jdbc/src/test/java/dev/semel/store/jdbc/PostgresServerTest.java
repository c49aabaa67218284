package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** The server of the test kit, which all other tests here stand on. */
class PostgresServerTest {

    @Test
    void its_data_outlives_a_crash_a_restart_and_the_server_itself() throws SQLException {
        try (Folder folder = Folder.inTarget()) {
            try (PostgresServer server = PostgresServer.startFromClassPath(folder.path())) {
                Sql sql = Sql.on(server.jdbcUrl());
                sql.execute("create table t (i int)", "insert into t values (1)");
                long first = server.pid();
                server.kill9();
                assertFalse(isAlive(first));
                assertThrows(SQLException.class, sql::connect);
                server.restart();
                sql.execute("insert into t values (2)");
                server.restart();
                assertEquals("2", sql.one("select count(*) from t"));
            }
            try (PostgresServer again = PostgresServer.startFromClassPath(folder.path())) {
                assertEquals("2", Sql.on(again.jdbcUrl()).one("select count(*) from t"));
            }
        }
    }

    @Test
    void it_is_durable_by_default_and_takes_settings() throws SQLException {
        try (Folder folder = Folder.inTarget();
                PostgresServer server = PostgresServer.startFromClassPath(folder.path(), "max_connections=23")) {
            assertEquals(
                    "on|on|23|127.0.0.1",
                    Sql.on(server.jdbcUrl())
                            .one("select current_setting('fsync'), current_setting('synchronous_commit'),"
                                    + " current_setting('max_connections'), current_setting('listen_addresses')"));
        }
    }

    @Test
    void closing_it_ends_its_process_also_under_open_connections() throws SQLException {
        try (Folder folder = Folder.inTarget()) {
            PostgresServer server = PostgresServer.startFromClassPath(folder.path());
            try (Connection open = Sql.on(server.jdbcUrl()).connect()) {
                server.close();
                assertFalse(isAlive(server.pid()));
                assertFalse(open.isValid(1));
            }
            server.close();
        }
    }

    @Test
    void a_server_that_does_not_start_says_why() {
        try (Folder folder = Folder.inTarget()) {
            IllegalStateException failed = assertThrows(
                    IllegalStateException.class,
                    () -> PostgresServer.startFromClassPath(folder.path(), "no_such_setting=1"));
            assertTrue(failed.getMessage().contains("unrecognized configuration parameter"), failed.getMessage());
        }
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }
}
