package dev.semel.bench.report;

import dev.semel.bench.loop.LoopResult;
import java.time.Duration;

/**
 * One measurement of one scenario in one round. Figures that nobody measured are NaN.
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

    /** What a loop measured, with the processor time that two groups of processes used meanwhile. */
    public static Sample of(LoopResult result, Duration cpu, Duration behind) {
        return new Sample(
                result.perSecond(),
                result.p50().toNanos() / 1e6,
                result.p99().toNanos() / 1e6,
                cpu.toNanos() / 1e3 / result.operations(),
                behind.toNanos() / 1e3 / result.operations(),
                result.errors(),
                result.firstError());
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
