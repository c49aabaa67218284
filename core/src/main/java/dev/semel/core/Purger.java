package dev.semel.core;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Purged;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Cleans a store in the background: one full pass per interval, in small steps with pauses between them. */
public final class Purger implements AutoCloseable {
    private static final int RECORDS_PER_STEP = 1000;
    private static final long PAUSE_NANOS = 10_000_000;
    private static final int MOST_TOLD = 10_000;

    private final KeyStore store;
    private final Duration interval;
    private final SemelListener listener;
    private final Consumer<Collection<KeyId>> unsettled;
    private final Thread thread;
    private final Set<String> told = new HashSet<>();
    private volatile boolean closed;

    private Purger(KeyStore store, Duration interval, SemelListener listener, Consumer<Collection<KeyId>> unsettled) {
        this.store = store;
        this.interval = interval;
        this.listener = listener;
        this.unsettled = unsettled;
        this.thread = Thread.ofPlatform().daemon().name("semel-purger").unstarted(this::run);
    }

    /** @param unsettled is told of the keys that it comes across and nobody works on; see {@link Semel#seeTo} */
    public static Purger start(
            KeyStore store, Duration interval, SemelListener listener, Consumer<Collection<KeyId>> unsettled) {
        Purger purger = new Purger(store, interval, listener, unsettled);
        purger.thread.start();
        return purger;
    }

    private void run() {
        while (!closed) {
            try {
                while (!closed && !step()) LockSupport.parkNanos(PAUSE_NANOS);
            } catch (RuntimeException e) {
                if (!closed) listener.on(new SemelEvent.BackgroundTaskFailed("purge", e));
            }
            if (!closed) LockSupport.parkNanos(interval.toNanos());
        }
    }

    private boolean step() {
        Purged purged = store.purge(RECORDS_PER_STEP);
        if (!purged.unsettled().isEmpty()) unsettled.accept(purged.unsettled());
        if (!purged.unreadable().isEmpty()) tell(purged.unreadable());
        return purged.finished();
    }

    /** Every pass meets the same ones again. */
    private void tell(List<String> unreadable) {
        List<String> news = unreadable.stream()
                .filter(it -> told.size() < MOST_TOLD && told.add(it))
                .toList();
        if (!news.isEmpty()) listener.on(new SemelEvent.UnreadableRecords(news));
    }

    /** Returns when no step runs any more, so that the store may be closed. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
