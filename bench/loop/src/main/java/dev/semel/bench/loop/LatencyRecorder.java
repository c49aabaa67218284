package dev.semel.bench.loop;

import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Collects how long operations take and which fail, from the moment it is made. For one thread at a time. */
public final class LatencyRecorder {
    private static final long FINEST_NANOS = 1_000;
    private static final long LONGEST_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int DIGITS = 3;

    private final Histogram nanos = new Histogram(FINEST_NANOS, LONGEST_NANOS, DIGITS);
    private final long startNanos = System.nanoTime();
    private long errors;
    private String firstError = "";

    public long startNanos() {
        return startNanos;
    }

    public void succeeded(long latencyNanos) {
        nanos.recordValue(Math.min(latencyNanos, LONGEST_NANOS));
    }

    public void failed(String error) {
        if (errors++ == 0) firstError = error;
    }

    /** What was collected until now. */
    public LoopResult result() {
        return result(List.of(this), (System.nanoTime() - startNanos) / 1e9);
    }

    /** What several collected side by side in so many seconds. */
    static LoopResult result(List<LatencyRecorder> recorders, double seconds) {
        LatencyRecorder sum = new LatencyRecorder();
        for (LatencyRecorder each : recorders) {
            sum.nanos.add(each.nanos);
            sum.errors += each.errors;
            if (sum.firstError.isEmpty()) sum.firstError = each.firstError;
        }
        return new LoopResult(
                sum.nanos.getTotalCount(),
                seconds,
                Duration.ofNanos(sum.nanos.getValueAtPercentile(50)),
                Duration.ofNanos(sum.nanos.getValueAtPercentile(99)),
                Duration.ofNanos(sum.nanos.getMaxValue()),
                sum.errors,
                sum.firstError);
    }
}
