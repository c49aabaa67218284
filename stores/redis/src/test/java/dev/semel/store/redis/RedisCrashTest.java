package dev.semel.store.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.StoreException;
import dev.semel.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server dies, hangs, or loses its memory of scripts, while many write. */
@Timeout(120)
class RedisCrashTest {
    private static final int CALLERS = 32;

    /** A timeout of two seconds, and a busy machine. */
    private static final Duration BOUND = Duration.ofMillis(4500);

    @Test
    void what_was_acknowledged_survives_kill_9_and_what_was_refused_never_shows_up() throws Exception {
        try (Folder folder = Folder.inTarget();
                RedisServer server = RedisServer.start(folder.path());
                RedisKeyStore store = RedisKeyStore.open(server.url());
                WriteHistory history = WriteHistory.of(store, CALLERS)) {
            for (int crash = 0; crash < 3; crash++) {
                history.awaitAcknowledged(1000);
                server.kill9();
                history.awaitFailures(2 * CALLERS);
                server.restart();
            }
            history.awaitAcknowledged(500);
            history.stop();
            assertTrue(history.lost() > 0, "no write was under way when the server died");
            assertTrue(history.refused() > 0, "nobody asked while the server was down");
            assertEquals(List.of(), history.disagreements(store), history.toString());
        }
    }

    @Test
    void a_server_that_hangs_is_refused_in_bounded_time_and_all_is_as_it_was_told() throws Exception {
        try (Folder folder = Folder.inTarget();
                RedisServer server = RedisServer.start(folder.path());
                RedisKeyStore store = RedisKeyStore.open(server.url());
                WriteHistory history = WriteHistory.of(store, CALLERS)) {
            history.awaitAcknowledged(1000);
            server.pause();
            try {
                history.awaitFailures(20 * CALLERS);
                Duration refusal = timeOfRefusal(store);
                assertTrue(refusal.toMillis() < 200, "a refusal took " + refusal);
            } finally {
                server.resume();
            }
            history.awaitAcknowledged(500);
            history.stop();
            assertTrue(history.lost() > 0, "no write was under way");
            assertTrue(history.longestFailure().compareTo(BOUND) < 0, "a call took " + history.longestFailure());
            assertEquals(List.of(), history.disagreements(store), history.toString());
        }
    }

    /** One call every two seconds may try, and takes longer; of several, most are refused at once. */
    private static Duration timeOfRefusal(RedisKeyStore store) {
        Duration shortest = Duration.ofDays(1);
        for (int i = 0; i < 3; i++) {
            long began = System.nanoTime();
            try {
                store.find(Keys.id("k"));
            } catch (StoreException e) {
                Duration took = Duration.ofNanos(System.nanoTime() - began);
                if (took.compareTo(shortest) < 0) shortest = took;
            }
        }
        return shortest;
    }

    @Test
    void a_server_that_has_forgotten_all_scripts_is_told_them_again() {
        try (Folder folder = Folder.inTarget();
                RedisServer server = RedisServer.start(folder.path());
                RedisKeyStore store = RedisKeyStore.open(server.url())) {
            KeyId id = Keys.id("k");
            server.call("SCRIPT", "FLUSH");
            Keys.insert(store, id);
            server.call("SCRIPT", "FLUSH");
            assertTrue(store.insert(Keys.claim(id)) instanceof Inserted.Existing);
            server.kill9();
            server.restart();
            await(store, id);
            assertEquals(1, store.findAll(List.of(id)).size());
        }
    }

    private static void await(RedisKeyStore store, KeyId id) {
        while (true) {
            try {
                store.find(id);
                return;
            } catch (StoreException e) {
                LockSupport.parkNanos(10_000_000);
            }
        }
    }
}
