package dev.semel.core;

import java.util.concurrent.Semaphore;

/** Words that the store has not taken yet, each on a virtual thread of its own, and only so many of them. */
final class UnfinishedWork implements AutoCloseable {
    private static final int MOST = 10_000;

    private final Semaphore places = new Semaphore(MOST);
    private final SemelListener listener;
    private volatile boolean open = true;

    UnfinishedWork(SemelListener listener) {
        this.listener = listener;
    }

    boolean isOpen() {
        return open;
    }

    /** @return false when too much is unfinished already; the key then ends in doubt by itself */
    boolean add(Runnable work) {
        if (!open || !places.tryAcquire()) return false;
        Thread.ofVirtual().name("semel-unfinished").start(() -> {
            try {
                work.run();
            } catch (RuntimeException e) {
                listener.on(new SemelEvent.BackgroundTaskFailed("finish what the store had not taken", e));
            } finally {
                places.release();
            }
        });
        return true;
    }

    @Override
    public void close() {
        open = false;
    }
}
