package dev.semel.store.dynamodb;

import dev.semel.core.store.StoreException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A circuit breaker for a service that hangs: a call was made, and nothing came back in time, neither for it nor for anyone
 * else since. From then on one call every two seconds may try, and all others are refused at once, until one is answered.
 * A single late answer among others that arrive is no hang.
 */
final class HangDetector {
    private static final long RETRY_NANOS = Duration.ofSeconds(2).toNanos();

    private final AtomicLong retryAt = new AtomicLong();
    private volatile long lastAnswer = System.nanoTime();
    private volatile boolean hung;

    /**
     * Called before a call is made; what it returns is handed back afterwards.
     *
     * @throws StoreException when the service hangs and it is not time to try again
     */
    long begin() {
        long now = System.nanoTime();
        if (!hung) return now;
        long next = retryAt.get();
        if (now - next >= 0 && retryAt.compareAndSet(next, now + RETRY_NANOS)) return now;
        throw StoreException.notApplied("DynamoDB does not answer; nothing was sent.", null);
    }

    void answered() {
        lastAnswer = System.nanoTime();
        if (hung) hung = false;
    }

    /** The call that began then got no answer in time. */
    void timedOut(long began) {
        if (lastAnswer - began > 0) return;
        retryAt.set(System.nanoTime() + RETRY_NANOS);
        hung = true;
    }
}
