package dev.semel.store.redis;

import dev.semel.core.store.KeyStore;
import dev.semel.testkit.IndexedKeyStoreContract;
import dev.semel.testkit.SemelContract;
import dev.semel.testkit.redis.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** Both contracts on one server. Its clock cannot be moved, so time passes by making every record older. */
class RedisContractTest {
    /** A contract is not about time-outs: on a machine that is busy with other tests, two seconds may pass by. */
    static final RedisOptions LONG_TIMEOUTS =
            RedisOptions.DEFAULT.withConnectTimeout(Duration.ofSeconds(20)).withTimeout(Duration.ofSeconds(20));

    private static Folder folder;
    private static RedisServer server;
    private static RedisKeyStore store;

    @BeforeAll
    static void open() {
        folder = Folder.inTarget();
        server = RedisServer.start(folder.path());
        store = RedisKeyStore.open(server.url(), LONG_TIMEOUTS);
    }

    @AfterAll
    static void close() {
        store.close();
        server.close();
        folder.close();
    }

    @Nested
    class OfTheStore extends IndexedKeyStoreContract {
        @Override
        protected KeyStore store() {
            return store;
        }

        @Override
        protected void pass(Duration time) {
            server.age(time);
        }
    }

    @Nested
    class OfTheEngine extends SemelContract {
        @Override
        protected KeyStore store() {
            return store;
        }

        @Override
        protected void pass(Duration time) {
            server.age(time);
        }
    }
}
