package dev.semel.testkit;

import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.seal.SealKeys;
import dev.semel.seal.SealedKeyStore;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** A sealed store keeps the laws of any other. */
class SealedKeyStoreContractTest {
    private static final SealKeys KEYS = SealKeys.of("k1", Map.of("k1", new byte[SealKeys.KEY_BYTES]));

    @Nested
    class Store extends IndexedKeyStoreContract {
        private final HandClock clock = new HandClock();
        private final KeyStore store = new SealedKeyStore(new InMemoryKeyStore(clock), KEYS);

        @Override
        protected KeyStore store() {
            return store;
        }

        @Override
        protected void pass(Duration time) {
            clock.advance(time);
        }
    }

    @Nested
    class Engine extends SemelContract {
        private final HandClock clock = new HandClock();
        private final KeyStore store = new SealedKeyStore(new InMemoryKeyStore(clock), KEYS);

        @Override
        protected KeyStore store() {
            return store;
        }

        @Override
        protected void pass(Duration time) {
            clock.advance(time);
        }
    }
}
