package dev.semel.store.jdbc;

import dev.semel.core.store.StoreException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether the database has fallen silent: a statement was sent, and nothing came back in time. From then on one caller at a
 * time asks it, now and then, and all others are refused at once, until it answers.
 */
final class Silence {
    private static final long PAUSE_NANOS = Duration.ofSeconds(2).toNanos();

    private final AtomicLong askAgain = new AtomicLong();
    private volatile boolean silent;

    /** @throws StoreException when there is no use in asking now */
    void check() {
        if (!silent) return;
        long next = askAgain.get();
        long now = System.nanoTime();
        if (now - next >= 0 && askAgain.compareAndSet(next, now + PAUSE_NANOS)) return;
        throw StoreException.notApplied("The database does not answer; nothing was sent.", null);
    }

    void answered() {
        if (silent) silent = false;
    }

    /** Only the end of the driver's own patience counts: a server that refuses is not silent, nor is a busy pool. */
    void failed(SQLException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (!(cause instanceof SocketTimeoutException)) continue;
            askAgain.set(System.nanoTime() + PAUSE_NANOS);
            silent = true;
            return;
        }
    }
}
