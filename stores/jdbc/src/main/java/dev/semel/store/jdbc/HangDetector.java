package dev.semel.store.jdbc;

import dev.semel.core.store.StoreException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A circuit breaker for a database that hangs: a statement was sent, and nothing came back before the socket timeout.
 * From then on one call every two seconds may try, and all others are refused at once, until the database answers.
 */
final class HangDetector {
    private static final long RETRY_NANOS = Duration.ofSeconds(2).toNanos();

    private final AtomicLong retryAt = new AtomicLong();
    private volatile boolean hung;

    /** @throws StoreException when the database hangs and it is not time to try again */
    void check() {
        if (!hung) return;
        long next = retryAt.get();
        long now = System.nanoTime();
        if (now - next >= 0 && retryAt.compareAndSet(next, now + RETRY_NANOS)) return;
        throw StoreException.notApplied("The database does not answer; nothing was sent.", null);
    }

    void answered() {
        if (hung) hung = false;
    }

    /** Only a socket timeout counts: a server that refuses does not hang, nor does a busy pool. */
    void failed(SQLException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (!(cause instanceof SocketTimeoutException)) continue;
            retryAt.set(System.nanoTime() + RETRY_NANOS);
            hung = true;
            return;
        }
    }
}
