package dev.semel.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next try: anything up to a bound that doubles ("full jitter"), so that those who failed
 * together do not come back together.
 */
record Backoff(Duration first, Duration longest) {
    static final Backoff STANDARD = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(20));

    private static final int MOST_DOUBLINGS = 30;

    /** @param failed how many tries have failed so far, at least 1 */
    Duration pause(int failed, RandomGenerator random) {
        long bound = first.toNanos() << Math.min(failed - 1, MOST_DOUBLINGS);
        boolean overflown = bound >> Math.min(failed - 1, MOST_DOUBLINGS) != first.toNanos();
        long most = overflown ? longest.toNanos() : Math.min(bound, longest.toNanos());
        return Duration.ofNanos(random.nextLong(most + 1));
    }

    /** Not before the server said, and not all at that very moment. */
    Duration pauseAfter(Duration retryAfter, RandomGenerator random) {
        return retryAfter.plusNanos(random.nextLong(first.toNanos() + 1));
    }
}
