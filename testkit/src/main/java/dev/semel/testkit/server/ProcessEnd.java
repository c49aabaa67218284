package dev.semel.testkit.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for processes to end, and never for longer than tests should hang. */
public final class ProcessEnd {
    public static final Duration LONGEST = Duration.ofSeconds(60);

    private ProcessEnd() {}

    public static boolean within(Duration time, Process process) {
        try {
            return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a process to end", e);
        }
    }

    /** For processes that are not children of this one, which the platform can only look at now and then. */
    public static void all(Duration time, List<ProcessHandle> processes) {
        long deadline = System.nanoTime() + time.toNanos();
        while (processes.stream().anyMatch(ProcessEnd::runs) && System.nanoTime() - deadline < 0)
            LockSupport.parkNanos(1_000_000);
    }

    /** A dead process that its parent has not noticed yet counts as alive, but has no command any more. */
    private static boolean runs(ProcessHandle process) {
        return process.isAlive() && process.info().command().isPresent();
    }

    /** Whether the process ended by itself, with the exit code 0. */
    public static boolean well(Process process) {
        if (within(LONGEST, process)) return process.exitValue() == 0;
        process.destroyForcibly();
        return false;
    }
}
