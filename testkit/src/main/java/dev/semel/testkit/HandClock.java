package dev.semel.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that moves only by hand, and only forward. Safe for use by any thread. */
public final class HandClock extends Clock {
    private volatile Instant now;

    public HandClock() {
        this(Instant.parse("2026-01-01T00:00:00Z"));
    }

    public HandClock(Instant start) {
        this.now = start;
    }

    public synchronized void advance(Duration by) {
        if (by.isNegative()) throw new IllegalArgumentException("Time does not run backwards: " + by);
        now = now.plus(by);
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new IllegalArgumentException("A hand clock knows UTC only.");
    }
}
