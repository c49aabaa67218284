package dev.semel.core;

import dev.semel.core.store.KeyStore;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Cleans a store in the background: one full pass per interval, in small steps with pauses between them. */
public final class Purger implements AutoCloseable {
    private static final int RECORDS_PER_STEP = 1000;
    private static final long PAUSE_NANOS = 10_000_000;

    private final KeyStore store;
    private final Duration interval;
    private final SemelListener listener;
    private final Thread thread;
    private volatile boolean closed;

    private Purger(KeyStore store, Duration interval, SemelListener listener) {
        this.store = store;
        this.interval = interval;
        this.listener = listener;
        this.thread = Thread.ofPlatform().daemon().name("semel-purger").unstarted(this::run);
    }

    public static Purger start(KeyStore store, Duration interval, SemelListener listener) {
        Purger purger = new Purger(store, interval, listener);
        purger.thread.start();
        return purger;
    }

    private void run() {
        while (!closed) {
            LockSupport.parkNanos(interval.toNanos());
            try {
                while (!closed && !store.purge(RECORDS_PER_STEP).finished()) LockSupport.parkNanos(PAUSE_NANOS);
            } catch (RuntimeException e) {
                if (!closed) listener.on(new SemelEvent.BackgroundTaskFailed("purge", e));
            }
        }
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
