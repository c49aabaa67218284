package dev.semel.bench.loop;

import java.time.Duration;

/**
 * What a loop measured.
 *
 * @param operations that ended well; only these are in the latencies
 * @param errors operations that went wrong, or got no answer in the whole time
 * @param firstError what the first error was, or empty
 */
public record LoopResult(
        long operations, double seconds, Duration p50, Duration p99, Duration max, long errors, String firstError) {

    public double perSecond() {
        return operations / seconds;
    }

    /** The same with one more error. */
    LoopResult withError(String error) {
        return new LoopResult(
                operations, seconds, p50, p99, max, errors + 1, firstError.isEmpty() ? error : firstError);
    }

    /** One line of text, for another process to {@link #parse}. */
    String line() {
        return String.join(
                " ",
                Long.toString(operations),
                Double.toString(seconds),
                Long.toString(p50.toNanos()),
                Long.toString(p99.toNanos()),
                Long.toString(max.toNanos()),
                Long.toString(errors),
                firstError.replaceAll("\\s+", " "));
    }

    public static LoopResult parse(String line) {
        String[] parts = line.split(" ", 7);
        return new LoopResult(
                Long.parseLong(parts[0]),
                Double.parseDouble(parts[1]),
                Duration.ofNanos(Long.parseLong(parts[2])),
                Duration.ofNanos(Long.parseLong(parts[3])),
                Duration.ofNanos(Long.parseLong(parts[4])),
                Long.parseLong(parts[5]),
                parts[6]);
    }
}
