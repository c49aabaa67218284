package dev.semel.store.rocksdb;

import dev.semel.core.store.KeyStore;
import dev.semel.seal.SealCheck;
import dev.semel.seal.SealKeys;
import dev.semel.seal.SealedKeyStore;
import dev.semel.testkit.HandClock;
import dev.semel.testkit.IndexedKeyStoreContract;
import dev.semel.testkit.SemelContract;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The laws hold with a seal around the store too, and with its canary among the records. */
class SealedOnRocksTest {
    private static final SealKeys KEYS = SealKeys.of("k1", Map.of("k1", new byte[SealKeys.KEY_BYTES]));

    private static KeyStore open(Path folder, Clock clock) {
        RocksKeyStore store = RocksKeyStore.open(folder, Durability.SYNC, clock);
        SealCheck.run(store, KEYS);
        return new SealedKeyStore(store, KEYS);
    }

    @Nested
    class Store extends IndexedKeyStoreContract {
        @TempDir
        Path folder;

        private final HandClock clock = new HandClock();
        private KeyStore store;

        @BeforeEach
        void open() {
            store = SealedOnRocksTest.open(folder, clock);
        }

        @AfterEach
        void close() {
            store.close();
        }

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
        @TempDir
        Path folder;

        private final HandClock clock = new HandClock();
        private KeyStore store;

        @BeforeEach
        void open() {
            store = SealedOnRocksTest.open(folder, clock);
        }

        @AfterEach
        void close() {
            store.close();
        }

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
