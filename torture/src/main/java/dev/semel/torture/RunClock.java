package dev.semel.torture;

/**
 * The clock of a run: nanoseconds since it began. Every process of the machine can read it, for it counts from one
 * reading of the machine's own monotonic clock.
 *
 * @param began that reading, as {@link System#nanoTime} gave it
 */
public record RunClock(long began) {

    public static RunClock start() {
        return new RunClock(System.nanoTime());
    }

    public long now() {
        return System.nanoTime() - began;
    }
}
