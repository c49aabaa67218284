package dev.semel.bench;

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
}
