package dev.semel.testkit;

import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.KeyStore;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

class SkewOnMemoryTest extends SkewContract {
    private @Nullable InMemoryKeyStore first;

    @Override
    protected KeyStore store(Clock clock, Duration skew) {
        if (first != null) return first.by(clock);
        first = InMemoryKeyStore.withSkew(clock, skew);
        return first;
    }
}
