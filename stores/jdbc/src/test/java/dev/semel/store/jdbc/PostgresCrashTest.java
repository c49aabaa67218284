package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.testkit.postgres.PostgresServer;
import java.time.Duration;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The database dies, or loses a connection, while many write. */
@ExtendWith(SharedServers.class)
class PostgresCrashTest {
    private static final int CALLERS = 32;
    private static final JdbcOptions IMPATIENT =
            JdbcOptions.DEFAULT.withPoolSize(16).withConnectionTimeout(Duration.ofMillis(250));

    @ParameterizedTest
    @EnumSource
    void what_was_acknowledged_survives_kill_9_and_what_was_refused_never_shows_up(PostgresVersion version)
            throws Exception {
        try (Folder folder = Folder.inTarget();
                PostgresServer server = version.start(folder.path());
                PostgresKeyStore store = PostgresKeyStore.open(server.jdbcUrl(), IMPATIENT);
                WriteHistory history = WriteHistory.of(store, CALLERS)) {
            for (int crash = 0; crash < 3; crash++) {
                history.awaitAcknowledged(1000);
                server.kill9();
                history.awaitFailures(CALLERS);
                server.restart();
            }
            history.awaitAcknowledged(500);
            history.stop();
            assertTrue(history.lost() > 0, "no write was under way when the server died");
            assertTrue(history.refused() > 0, "nobody asked while the server was down");
            history.checkAgainst(Sql.on(server.jdbcUrl()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_lost_connection_is_told_as_it_is(PostgresVersion version) throws Exception {
        String url = Sql.freshDatabase(SharedServers.of(version));
        try (PostgresKeyStore store = PostgresKeyStore.open(url, IMPATIENT);
                WriteHistory history = WriteHistory.of(store, CALLERS)) {
            for (int cut = 0; cut < 20; cut++) {
                history.awaitAcknowledged(50);
                Sql.on(url)
                        .rows("select pg_terminate_backend(pid) from pg_stat_activity"
                                + " where datname = current_database() and pid <> pg_backend_pid()");
            }
            history.awaitAcknowledged(500);
            history.stop();
            assertTrue(history.lost() > 0, "no write was under way when its connection was cut");
            history.checkAgainst(Sql.on(url));
        }
    }
}
