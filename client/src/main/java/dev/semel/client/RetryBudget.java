package dev.semel.client;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How many retries all calls of a client may make together: a bucket of tokens. A retry takes one; every call puts a
 * part of one in, and time does. When a server is down, calls then fail after their first try rather than multiply the
 * load on it. Safe for use by any thread.
 */
public final class RetryBudget {
    private final double capacity;
    private final double perCall;
    private final double perSecond;
    private double tokens;
    private @Nullable Instant last;

    private RetryBudget(double capacity, double perCall, double perSecond) {
        if (!(capacity >= 1) || !(perCall >= 0) || !(perSecond >= 0))
            throw new IllegalArgumentException("A retry budget has room for one retry at least, and grows.");
        this.capacity = capacity;
        this.perCall = perCall;
        this.perSecond = perSecond;
        this.tokens = capacity;
    }

    /**
     * @param capacity how many retries may come at once; the bucket is full at first
     * @param perCall how many retries each call allows in the long run, such as 0.2
     * @param perSecond how many retries a second are allowed whatever the number of calls
     */
    public static RetryBudget of(double capacity, double perCall, double perSecond) {
        return new RetryBudget(capacity, perCall, perSecond);
    }

    /** 100 at once, then 2 for 10 calls, and 1 a second. */
    public static RetryBudget standard() {
        return of(100, 0.2, 1);
    }

    synchronized void called(Instant now) {
        refill(now);
        tokens = Math.min(capacity, tokens + perCall);
    }

    synchronized boolean take(Instant now) {
        refill(now);
        if (tokens < 1) return false;
        tokens -= 1;
        return true;
    }

    private void refill(Instant now) {
        if (last != null && now.isAfter(last))
            tokens = Math.min(
                    capacity, tokens + perSecond * Duration.between(last, now).toMillis() / 1000.0);
        if (last == null || now.isAfter(last)) last = now;
    }
}
