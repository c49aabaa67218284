package dev.semel.bench;

import dev.semel.bench.report.Sample;
import java.time.Duration;

/**
 * What a load generator measured.
 *
 * @param requests that got the expected answer; only these are in the latencies
 * @param errors other answers, broken connections, and requests without an answer in the whole time
 * @param firstError what the first error was, or empty
 */
public record Result(
        long requests, double seconds, Duration p50, Duration p99, Duration max, long errors, String firstError) {

    public double perSecond() {
        return requests / seconds;
    }

    /** The same as a sample, with what the process under test and what stands behind it used meanwhile. */
    public Sample sample(Duration cpu, Duration behind) {
        return Sample.of(requests, seconds, p50, p99, cpu, behind, errors, firstError);
    }
}
