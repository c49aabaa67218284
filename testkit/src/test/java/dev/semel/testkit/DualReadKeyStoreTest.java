package dev.semel.testkit;

import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.move.DualReadKeyStore;
import dev.semel.core.store.KeyStore;
import java.time.Clock;
import java.time.Duration;

/**
 * Two stores are one, to whoever asks. Time goes on between the seal in one and the claim in the other; where it does not, a
 * claim is seen once before its token is raised.
 */
class DualReadKeyStoreTest extends IndexedKeyStoreContract {
    private final HandClock clock = new HandClock();
    private final KeyStore store = DualReadKeyStore.of(
            new InMemoryKeyStore(Clock.offset(clock, Duration.ofMillis(1))), new InMemoryKeyStore(clock));

    @Override
    protected KeyStore store() {
        return store;
    }

    @Override
    protected void pass(Duration time) {
        clock.advance(time);
    }
}
