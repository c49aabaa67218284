package dev.semel.core.claim;

import java.time.Duration;

/**
 * How many duplicates may wait, and how often keys held by another process are looked at on their behalf.
 *
 * @param perKey for one key
 * @param inAll in this process
 */
public record WaitLimits(int perKey, int inAll, Duration lookEvery) {
    public static final WaitLimits DEFAULT = new WaitLimits(256, 10_000, Duration.ofMillis(100));

    public WaitLimits {
        if (perKey < 0 || inAll < 0) throw new IllegalArgumentException("A limit of waiters cannot be negative.");
        if (lookEvery.toMillis() < 1)
            throw new IllegalArgumentException("Looking more than once a millisecond helps nobody.");
    }
}
