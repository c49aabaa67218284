package dev.semel.store.redis;

import dev.semel.core.store.KeyStore;
import dev.semel.testkit.CountedRevisions;
import dev.semel.testkit.LinearizabilityCheck;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("Lincheck changes classes while it looks at them")
@ExtendWith(SharedServer.class)
class RedisLinearizabilityTest {
    private static KeyStore store;

    @BeforeAll
    static void open() {
        store = new CountedRevisions(RedisKeyStore.open(SharedServer.freshUrl(), RedisContractTest.LONG_TIMEOUTS));
    }

    @AfterAll
    static void close() {
        store.close();
    }

    @Test
    void inserts_swaps_and_looks_are_linearizable() {
        LinearizabilityCheck.run(OnRedis.class, 8);
    }

    public static class OnRedis extends LinearizabilityCheck {
        public OnRedis() {
            super(store);
        }
    }
}
