package dev.semel.bench.report;

import java.time.Duration;

/**
 * One measurement of one line in one round. Figures that nobody measured are NaN.
 *
 * @param perSecond how many operations ended well, per second
 * @param cpuMicros processor time of the process under test, per operation
 * @param behindMicros processor time of what stands behind it (a database, a handler), per operation
 * @param errors operations that did not end as they should
 * @param firstError what the first error was, or empty
 */
public record Sample(
        double perSecond,
        double p50Millis,
        double p99Millis,
        double cpuMicros,
        double behindMicros,
        long errors,
        String firstError) {

    /** A measurement of so many operations, with what two groups of processes used meanwhile. */
    public static Sample of(
            long operations,
            double seconds,
            Duration p50,
            Duration p99,
            Duration cpu,
            Duration behind,
            long errors,
            String firstError) {
        return new Sample(
                operations / seconds,
                p50.toNanos() / 1e6,
                p99.toNanos() / 1e6,
                cpu.toNanos() / 1e3 / operations,
                behind.toNanos() / 1e3 / operations,
                errors,
                firstError);
    }

    /** The same, with errors that were noticed from outside. */
    public Sample withErrors(long more, String error) {
        return new Sample(
                perSecond,
                p50Millis,
                p99Millis,
                cpuMicros,
                behindMicros,
                errors + more,
                firstError.isEmpty() ? error : firstError);
    }
}
