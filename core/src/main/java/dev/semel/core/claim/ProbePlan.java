package dev.semel.core.claim;

import java.time.Duration;

/**
 * When and how often a probe is asked.
 *
 * @param after how long a doubt must last before the first probe. What was sent may still be on its way: a probe that
 *     comes before it finds nothing, and the operation would run twice
 * @param timeout how long one probe may take; for so long nobody else asks
 * @param pause after the first probe that could not tell; doubles from one to the next
 * @param longestPause where it stops to double
 * @param attempts how many are made in the background; a retry of the client can always cause one more
 */
public record ProbePlan(
        Probe probe, Duration after, Duration timeout, Duration pause, Duration longestPause, int attempts) {

    public static final Duration DEFAULT_AFTER = Duration.ofSeconds(2);
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);
    public static final Duration DEFAULT_PAUSE = Duration.ofSeconds(1);
    public static final Duration DEFAULT_LONGEST_PAUSE = Duration.ofMinutes(5);
    public static final int DEFAULT_ATTEMPTS = 50;

    public ProbePlan {
        if (after.isNegative() || timeout.isNegative() || timeout.isZero() || pause.isNegative() || pause.isZero())
            throw new IllegalArgumentException("The times of a probe must be positive.");
        if (attempts < 0) throw new IllegalArgumentException("A number of attempts cannot be negative.");
        if (longestPause.compareTo(pause) < 0) longestPause = pause;
    }

    /** The pause after so many probes that could not tell. */
    public Duration pauseAfter(int probes) {
        Duration grown = pause;
        for (int i = 1; i < probes && grown.compareTo(longestPause) < 0; i++) grown = grown.multipliedBy(2);
        return grown.compareTo(longestPause) < 0 ? grown : longestPause;
    }
}
