package dev.semel.core;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Pauses that grow, with jitter, so that a store that comes back is not met by everyone at once. */
final class Backoff {
    private static final int MOST_GROWTH = 100;

    private final long longest;
    private long next;

    Backoff(Duration first) {
        this.next = Math.max(2, first.toNanos());
        this.longest = next * MOST_GROWTH;
    }

    void pause() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(next / 2, next));
        next = Math.min(next * 2, longest);
    }
}
