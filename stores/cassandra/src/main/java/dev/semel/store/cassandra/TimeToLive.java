package dev.semel.store.cassandra;

import java.time.Duration;
import java.time.Instant;

/**
 * After how many seconds the server forgets a column by itself. Never sooner than the slowest client may do so by its own
 * clock: the client that wrote may have been fast, whoever reads slow; the node that wrote slow, whoever expires it fast. So
 * twice the skew is added.
 */
final class TimeToLive {
    /** For columns that stay until they are changed. */
    static final int NONE = 0;

    /** The server refuses what would expire later, and a write that is refused is worse than one that stays. A day less. */
    private static final Instant LAST = Instant.parse("2038-01-18T00:00:00Z");

    private static final long LONGEST_SECONDS = Duration.ofDays(365 * 20).toSeconds();

    private final Duration margin;

    TimeToLive(Duration skew) {
        this.margin = skew.multipliedBy(2);
    }

    /**
     * In whole seconds, which is what the server counts in; the one that has begun when it writes does not count.
     *
     * @return {@link #NONE} when it is longer than the server takes: the sweep removes what it can then
     */
    int seconds(Duration kept, Instant now) {
        long seconds = kept.plus(margin).plusNanos(999_999_999).toSeconds() + 1;
        boolean takes = seconds <= LONGEST_SECONDS && now.plusSeconds(seconds).isBefore(LAST);
        return takes ? (int) seconds : NONE;
    }
}
