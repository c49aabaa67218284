package dev.semel.core.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Time that moves only by hand, and only forward: for tests. Whoever waits for a moment that has come goes on at once.
 * {@link #clock()} is the same time as a clock, for stores that take one. Safe for use by any thread.
 */
public final class HandTime implements EngineTime {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final Set<Sleeper> sleepers = ConcurrentHashMap.newKeySet();
    private volatile long nanos;

    /** At some moment that says nothing. */
    public HandTime() {}

    private record Sleeper(Thread thread, long until) {}

    /** Lets so much time pass. */
    public void advance(Duration by) {
        if (by.isNegative()) throw new IllegalArgumentException("Time does not run backwards: " + by);
        synchronized (this) {
            nanos += by.toNanos();
        }
        for (Sleeper sleeper : sleepers) if (nanos - sleeper.until >= 0) LockSupport.unpark(sleeper.thread);
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public long wallMillis() {
        return instant().toEpochMilli();
    }

    @Override
    public Instant instant() {
        return START.plusNanos(nanos);
    }

    @Override
    public void parkUntil(long until) {
        Sleeper sleeper = new Sleeper(Thread.currentThread(), until);
        sleepers.add(sleeper);
        try {
            if (nanos - until < 0) LockSupport.park(this);
        } finally {
            sleepers.remove(sleeper);
        }
    }

    /** How many threads wait for some later moment right now. */
    public int sleeping() {
        return sleepers.size();
    }

    /** The same time as a clock that is fast by so much, or slow when it is negative. */
    public Clock clock(Duration fast) {
        return new Clock() {
            @Override
            public Instant instant() {
                return HandTime.this.instant().plus(fast);
            }

            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                throw new UnsupportedOperationException("A clock that is moved by hand knows UTC only.");
            }
        };
    }

    public Clock clock() {
        return clock(Duration.ZERO);
    }
}
