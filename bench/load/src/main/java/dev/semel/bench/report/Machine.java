package dev.semel.bench.report;

import java.lang.management.ManagementFactory;

/**
 * Where a benchmark ran.
 *
 * @param load the load average before the run, which tells how far the machine was shared with others
 */
public record Machine(int processors, double load, String jdk, String system) {

    public static Machine here() {
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.version().toString(),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
    }

    /** Whether others were using much of it. */
    public boolean isBusy() {
        return load > processors / 2.0;
    }
}
