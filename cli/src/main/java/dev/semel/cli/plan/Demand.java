package dev.semel.cli.plan;

import java.time.Duration;

/**
 * What is asked of a store.
 *
 * @param perSecond new keys a second
 * @param body bytes of an outcome
 * @param retention how long outcomes are replayed
 * @param tombstone how long a used key is remembered after that
 * @param duplicates how many requests repeat an earlier one, as a part of those that do not: 0.01 is one in a hundred
 */
public record Demand(double perSecond, long body, Duration retention, Duration tombstone, double duplicates) {
    /** Thirty days: what a window is compared with, and what a month of use is. */
    public static final Duration MONTH = Duration.ofDays(30);

    public Demand {
        if (!(perSecond > 0) || perSecond > 1e9)
            throw new IllegalArgumentException(
                    "There are more than 0 and at most a billion new keys a second, not " + perSecond + ".");
        if (body < 0) throw new IllegalArgumentException("An outcome has no fewer than 0 bytes, not " + body + ".");
        if (retention.isZero() || retention.isNegative())
            throw new IllegalArgumentException("The retention is longer than nothing.");
        if (tombstone.isNegative()) throw new IllegalArgumentException("The tombstone time is not negative.");
        if (!(duplicates >= 0) || duplicates > 1000)
            throw new IllegalArgumentException("Duplicates are 0 % or more, and not " + duplicates * 100 + " %.");
    }

    public Demand withRetention(Duration retention) {
        return new Demand(perSecond, body, retention, tombstone, duplicates);
    }

    /** Keys whose outcome is kept, at any moment. */
    public double outcomes() {
        return perSecond * seconds(retention);
    }

    /** Keys of which only a tombstone is left, at any moment. */
    public double tombstones() {
        return perSecond * seconds(tombstone);
    }

    public double newKeysAMonth() {
        return perSecond * MONTH.toSeconds();
    }

    public double duplicatesAMonth() {
        return newKeysAMonth() * duplicates;
    }

    static double seconds(Duration time) {
        return time.toMillis() / 1000.0;
    }
}
