package dev.semel.testkit;

import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.KeyStore;
import java.time.Duration;

class InMemoryKeyStoreTest extends IndexedKeyStoreContract {
    private final HandClock clock = new HandClock();
    private final KeyStore store = new InMemoryKeyStore(clock);

    @Override
    protected KeyStore store() {
        return store;
    }

    @Override
    protected void pass(Duration time) {
        clock.advance(time);
    }
}
