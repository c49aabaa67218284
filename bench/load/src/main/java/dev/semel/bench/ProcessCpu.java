package dev.semel.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.LongStream;

/**
 * The processor time of a process and of all its descendants: those that run, and those that have ended. Read from
 * {@code /proc} where there is one, in steps of 10 ms; elsewhere what Java knows of those that run.
 */
public final class ProcessCpu {
    /** What Linux counts in, for every program: USER_HZ. */
    private static final long NANOS_PER_TICK = 10_000_000;

    private static final int FIRST_AFTER_NAME = 3;
    private static final int OWN_TIME = 14;
    private static final int ENDED_CHILDREN_TIME = 16;

    private ProcessCpu() {}

    public static Duration of(long pid) {
        return ProcessHandle.of(pid)
                .map(process -> LongStream.concat(
                                LongStream.of(pid), process.descendants().mapToLong(ProcessHandle::pid))
                        .mapToObj(each -> time(each, OWN_TIME).plus(time(each, ENDED_CHILDREN_TIME)))
                        .reduce(Duration.ZERO, Duration::plus))
                .orElse(Duration.ZERO);
    }

    /** The time of this process alone. */
    public static Duration own() {
        return time(ProcessHandle.current().pid(), OWN_TIME);
    }

    /** The time of those children of this process that have ended. */
    public static Duration endedChildren() {
        return time(ProcessHandle.current().pid(), ENDED_CHILDREN_TIME);
    }

    private static Duration time(long pid, int field) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            // The name of the program stands in parentheses and may hold anything.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long user = Long.parseLong(fields[field - FIRST_AFTER_NAME]);
            long system = Long.parseLong(fields[field + 1 - FIRST_AFTER_NAME]);
            return Duration.ofNanos((user + system) * NANOS_PER_TICK);
        } catch (IOException gone) {
            return field == OWN_TIME ? fromPlatform(pid) : Duration.ZERO;
        }
    }

    private static Duration fromPlatform(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO);
    }
}
