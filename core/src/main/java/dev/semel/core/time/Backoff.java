package dev.semel.core.time;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Pauses that grow, with jitter, so that a store that comes back is not met by everyone at once. */
public final class Backoff {
    private static final int MOST_GROWTH = 100;

    private final EngineTime time;
    private final long longest;
    private long next;

    public Backoff(EngineTime time, Duration first) {
        this.time = time;
        this.next = Math.max(2, first.toNanos());
        this.longest = next * MOST_GROWTH;
    }

    /** Also for a thread that is interrupted: it is told afterwards, and does not go on without a pause. */
    public void pause() {
        long until = time.nanos() + ThreadLocalRandom.current().nextLong(next / 2, next);
        boolean interrupted = false;
        do {
            interrupted |= Thread.interrupted();
            time.parkUntil(until);
        } while (time.nanos() - until < 0);
        if (interrupted) Thread.currentThread().interrupt();
        next = Math.min(next * 2, longest);
    }
}
