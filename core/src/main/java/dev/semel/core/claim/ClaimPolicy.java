package dev.semel.core.claim;

import dev.semel.core.key.Guarantee;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How keys of one operation live.
 *
 * @param lease how long a holder may be silent before it counts as dead; renewed while the holder is alive
 * @param retention how long an outcome is replayed
 * @param tombstone how long after that a late retry is still refused rather than run
 * @param waitFor how long a duplicate waits for the attempt in flight; zero to be told at once
 * @param probe how a doubt is ended without anybody's help; null when it is not
 */
public record ClaimPolicy(
        Guarantee guarantee,
        Duration lease,
        Duration retention,
        Duration tombstone,
        Duration waitFor,
        @Nullable ProbePlan probe) {

    private static final Duration LONGEST = Duration.ofDays(36_500);

    public static final ClaimPolicy DEFAULT = new ClaimPolicy(
            Guarantee.AT_MOST_ONCE,
            Duration.ofSeconds(30),
            Duration.ofHours(24),
            Duration.ofDays(30),
            Duration.ofSeconds(5),
            null);

    public ClaimPolicy {
        check("lease", lease, Duration.ofMillis(1));
        check("retention", retention, Duration.ofMillis(1));
        check("tombstone", tombstone, Duration.ZERO);
        check("wait", waitFor, Duration.ZERO);
    }

    private static void check(String name, Duration value, Duration least) {
        if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0)
            throw new IllegalArgumentException(
                    "The " + name + " must be between " + least + " and " + LONGEST + ", not " + value + ".");
    }

    public ClaimPolicy withGuarantee(Guarantee guarantee) {
        return new ClaimPolicy(guarantee, lease, retention, tombstone, waitFor, probe);
    }

    public ClaimPolicy withLease(Duration lease) {
        return new ClaimPolicy(guarantee, lease, retention, tombstone, waitFor, probe);
    }

    public ClaimPolicy withRetention(Duration retention) {
        return new ClaimPolicy(guarantee, lease, retention, tombstone, waitFor, probe);
    }

    public ClaimPolicy withTombstone(Duration tombstone) {
        return new ClaimPolicy(guarantee, lease, retention, tombstone, waitFor, probe);
    }

    public ClaimPolicy withWaitFor(Duration waitFor) {
        return new ClaimPolicy(guarantee, lease, retention, tombstone, waitFor, probe);
    }

    public ClaimPolicy withProbe(ProbePlan probe) {
        return new ClaimPolicy(guarantee, lease, retention, tombstone, waitFor, probe);
    }
}
