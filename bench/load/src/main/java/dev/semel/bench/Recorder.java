package dev.semel.bench;

import java.time.Duration;
import org.HdrHistogram.Histogram;

/** Collects what is measured between two moments. Used on the event loop only. */
final class Recorder {
    private static final long FINEST_NANOS = 1_000;
    private static final long LONGEST_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int DIGITS = 3;

    private final Histogram nanos = new Histogram(FINEST_NANOS, LONGEST_NANOS, DIGITS);
    private final long startNanos = System.nanoTime();
    private long errors;
    private String firstError = "";

    long startNanos() {
        return startNanos;
    }

    void answered(long latencyNanos) {
        nanos.recordValue(Math.min(latencyNanos, LONGEST_NANOS));
    }

    void failed(String error) {
        if (errors++ == 0) firstError = error;
    }

    Result result() {
        return new Result(
                nanos.getTotalCount(),
                (System.nanoTime() - startNanos) / 1e9,
                Duration.ofNanos(nanos.getValueAtPercentile(50)),
                Duration.ofNanos(nanos.getValueAtPercentile(99)),
                Duration.ofNanos(nanos.getMaxValue()),
                errors,
                firstError);
    }
}
