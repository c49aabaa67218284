package dev.semel.store.rocksdb;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Notices when the committer is stuck in one commit, because the disk does not answer. It counts its own ticks and not the
 * clock: a process that was stopped for a minute has not waited for its disk for a minute.
 */
final class HangDetector implements AutoCloseable {
    static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);
    private static final long TICK_NANOS = 100_000_000;

    private final long ticks;
    private final Runnable whileHanging;
    private final Thread thread;

    /** Odd while a commit is under way. Written by the committer alone. */
    private volatile long progress;

    private volatile boolean hanging;
    private volatile boolean closed;

    /**
     * @param timeout how long a commit may take
     * @param whileHanging is called when one takes longer, and then on every tick until it is over
     */
    HangDetector(Duration timeout, Runnable whileHanging) {
        this.ticks = Math.max(1, timeout.toNanos() / TICK_NANOS);
        this.whileHanging = whileHanging;
        this.thread = Thread.ofPlatform().daemon().name("semel-rocksdb-watch").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** For the committer alone: a commit begins. */
    void begin() {
        progress |= 1;
    }

    /** For the committer alone: the commit is over, however it went. */
    void end() {
        progress = (progress | 1) + 1;
        hanging = false;
    }

    boolean isHanging() {
        return hanging;
    }

    private void run() {
        long seen = 0;
        long unchanged = 0;
        while (!closed) {
            LockSupport.parkNanos(TICK_NANOS);
            long now = progress;
            unchanged = now == seen ? unchanged + 1 : 0;
            seen = now;
            hanging = (now & 1) == 1 && unchanged >= ticks && progress == now;
            if (hanging) whileHanging.run();
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
