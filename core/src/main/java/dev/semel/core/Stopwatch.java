package dev.semel.core;

/**
 * Tells how long ago something was, by the more pessimistic of two clocks: one that is never set but may stand still
 * while the machine sleeps, and one that goes on but may be set.
 */
interface Stopwatch {
    Stopwatch SYSTEM = () -> new Reading(System.nanoTime(), System.currentTimeMillis());

    /** @param nanos as {@link System#nanoTime} counts */
    record Reading(long nanos, long wallMillis) {}

    Reading read();

    default long nanosSince(Reading then) {
        Reading now = read();
        return Math.max(now.nanos() - then.nanos(), (now.wallMillis() - then.wallMillis()) * 1_000_000);
    }
}
