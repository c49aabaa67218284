package dev.semel.testkit;

import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.move.DualReadKeyStore;
import dev.semel.core.store.KeyStore;
import java.time.Duration;

/** The life of a key while a fleet changes from one store to another. */
class SemelOnTwoStoresTest extends SemelContract {
    private final HandClock clock = new HandClock();
    private final KeyStore store = DualReadKeyStore.of(new InMemoryKeyStore(clock), new InMemoryKeyStore(clock));

    @Override
    protected KeyStore store() {
        return store;
    }

    @Override
    protected void pass(Duration time) {
        clock.advance(time);
    }
}
