package dev.semel.spring.actuate;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store whose calls are timed. What is done in a joined transaction is not: its statements are the application's. */
final class TimedKeyStore extends ForwardingKeyStore {
    private final MeterRegistry registry;

    TimedKeyStore(KeyStore store, MeterRegistry registry) {
        super(store);
        this.registry = registry;
    }

    private <T extends @Nullable Object> T timed(String call, Supplier<T> work) {
        long began = System.nanoTime();
        try {
            return work.get();
        } catch (RuntimeException e) {
            registry.counter("semel.store.failures", "call", call).increment();
            throw e;
        } finally {
            registry.timer("semel.store", "call", call).record(Duration.ofNanos(System.nanoTime() - began));
        }
    }

    @Override
    public Inserted insert(NewKey key) {
        return timed("insert", () -> super.insert(key));
    }

    @Override
    public Replaced replace(KeyRecord seen, Change change) {
        return timed("replace", () -> super.replace(seen, change));
    }

    @Override
    public @Nullable Seen find(KeyId id) {
        return timed("find", () -> super.find(id));
    }

    @Override
    public List<Seen> findAll(Collection<KeyId> ids) {
        return timed("find-all", () -> super.findAll(ids));
    }
}
