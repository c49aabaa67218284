package dev.semel.core;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Pauses that grow, with jitter, so that a store that comes back is not met by everyone at once. */
final class Backoff {
    private static final long FIRST_NANOS = 10_000_000;
    private static final long LONGEST_NANOS = 1_000_000_000;

    private long next = FIRST_NANOS;

    void pause() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(next / 2, next));
        next = Math.min(next * 2, LONGEST_NANOS);
    }
}
