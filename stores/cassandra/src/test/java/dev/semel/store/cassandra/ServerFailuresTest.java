package dev.semel.store.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import dev.semel.core.store.StoreTraits.Survives;
import dev.semel.testkit.cassandra.CassandraServer;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that asks for passwords dies, hangs, and comes back, while many write. Nobody restarts the store. */
@Timeout(180)
class ServerFailuresTest {
    private static final int CALLERS = 24;

    /** The wait for others who want the same key is not among it: every caller has its own. And a loaded machine. */
    private static final Duration BOUND = Duration.ofMillis(5500);

    private static Folder folder;
    private static CassandraServer server;

    @BeforeAll
    static void start() {
        folder = Folder.inTarget();
        server = CassandraServer.start(
                folder.path(),
                "authenticator: PasswordAuthenticator",
                "commitlog_sync: batch",
                "commitlog_sync_period:");
        awaitUsers();
    }

    @AfterAll
    static void end() {
        server.close();
        folder.close();
    }

    /** The server makes its first user a moment after it has started. */
    private static void awaitUsers() {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (true) {
            try {
                CassandraKeyStore.open(url("first")).close();
                return;
            } catch (StoreException e) {
                if (System.nanoTime() - deadline > 0) throw e;
                LockSupport.parkNanos(100_000_000);
            }
        }
    }

    private static String url(String keyspace) {
        return server.url(keyspace).replace("//", "//cassandra:cassandra@") + "&create=true";
    }

    @Test
    void a_wrong_password_is_told_as_such_and_is_not_repeated() {
        String wrong = url("first").replace(":cassandra@", ":s3cret@");
        StoreException refused = assertThrows(StoreException.class, () -> CassandraKeyStore.open(wrong));
        assertTrue(refused.getMessage().contains("user name or the password"), refused.getMessage());
        assertFalse(refused.toString().contains("s3cret"));
        assertFalse(CassandraKeyStore.isUnreachable(refused));
        StoreException none = assertThrows(StoreException.class, () -> CassandraKeyStore.open(server.url("first")));
        assertTrue(none.getMessage().contains("user name or the password"), none.getMessage());
    }

    @Test
    void what_was_acknowledged_survives_kill_9_and_what_was_refused_never_shows_up() throws Exception {
        try (CassandraKeyStore store = CassandraKeyStore.open(url("killed"));
                WriteHistory history = WriteHistory.of(store, CALLERS)) {
            assertEquals(Survives.POWER_LOSS, store.traits().survives());
            for (int crash = 0; crash < 2; crash++) {
                history.awaitAcknowledged(300);
                server.kill9();
                history.awaitRefused(CALLERS);
                server.restart();
            }
            history.awaitAcknowledged(300);
            history.stop();
            try (RawTable table = RawTable.of(server.port(), "killed")) {
                history.checkAgainst(table);
            }
        }
    }

    @Test
    void a_server_that_hangs_is_refused_in_bounded_time_and_afterwards_all_is_as_it_was_told() throws Exception {
        try (CassandraKeyStore store = CassandraKeyStore.open(url("hung"));
                WriteHistory history = WriteHistory.of(store, CALLERS)) {
            history.awaitAcknowledged(300);
            server.pause();
            try {
                history.awaitLost(1);
                history.awaitRefused(5 * CALLERS);
            } finally {
                server.resume();
            }
            history.awaitAcknowledged(100);
            history.stop();
            assertTrue(history.longest().compareTo(BOUND) < 0, "the longest call took " + history.longest());
            try (RawTable table = RawTable.of(server.port(), "hung")) {
                history.checkAgainst(table);
            }
        }
    }

    @Test
    void a_server_that_is_not_there_is_told_as_such() {
        String nobody = "cassandra://127.0.0.1:1/ks?dc=" + CassandraServer.DATACENTER;
        StoreException gone = assertThrows(StoreException.class, () -> CassandraKeyStore.open(nobody));
        assertEquals(Applied.NO, gone.applied());
        assertTrue(CassandraKeyStore.isUnreachable(gone), gone.getMessage());
    }
}
