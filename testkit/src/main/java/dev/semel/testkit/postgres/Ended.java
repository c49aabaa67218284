package dev.semel.testkit.postgres;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits for processes to end, and never for longer than tests should hang. */
final class Ended {
    static final Duration LONGEST = Duration.ofSeconds(60);

    private Ended() {}

    static boolean within(Duration time, Process process) {
        try {
            return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a process to end", e);
        }
    }

    /** Whether the process ended by itself, with the exit code 0. */
    static boolean well(Process process) {
        if (within(LONGEST, process)) return process.exitValue() == 0;
        process.destroyForcibly();
        return false;
    }
}
