package dev.semel.messaging.consume;

import java.time.Duration;

/**
 * How a consumer tries a message again that its handler failed at.
 *
 * @param attempts how often in all, before it is put aside; a database or broker that is away does not count
 * @param firstPause after the first failure; later ones are twice as long each, up to {@code longestPause}
 */
public record RetrySettings(int attempts, Duration firstPause, Duration longestPause) {
    public static final RetrySettings DEFAULT = new RetrySettings(5, Duration.ofMillis(200), Duration.ofSeconds(30));

    public RetrySettings {
        if (attempts < 1) throw new IllegalArgumentException("A message is tried at least once, not " + attempts + ".");
        if (firstPause.isNegative() || firstPause.isZero() || longestPause.compareTo(firstPause) < 0)
            throw new IllegalArgumentException(
                    "Pauses take some time, and grow: from " + firstPause + " to " + longestPause + ".");
    }

    /** How long the pause after the n-th failure in a row takes; the first is 1. */
    public Duration pauseAfter(int failures) {
        Duration pause = firstPause.multipliedBy(1L << Math.clamp(failures - 1L, 0, 20));
        return pause.compareTo(longestPause) < 0 ? pause : longestPause;
    }
}
