package dev.semel.store.rocksdb;

import dev.semel.core.store.KeyStore;
import dev.semel.testkit.HandClock;
import dev.semel.testkit.IndexedKeyStoreContract;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class KeyStoreContractOnRocksTest extends IndexedKeyStoreContract {
    @TempDir
    Path folder;

    private final HandClock clock = new HandClock();
    private RocksKeyStore store;

    @BeforeEach
    void open() {
        store = RocksKeyStore.open(folder, Durability.SYNC, clock);
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
