package dev.semel.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM with the same JDK and class path as this one, for what must not share a process with the one that
 * measures it. It dies with {@link #close}, or else with this process.
 */
public final class ChildJvm implements AutoCloseable {
    private static final long POLITE_SECONDS = 10;

    private final Process process;
    private final ChildOutput output;
    private final Thread hook;

    private ChildJvm(Process process) {
        this.process = process;
        this.output = ChildOutput.of(process);
        this.hook = Thread.ofPlatform().unstarted(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Starts a main class of this class path. What it prints, also to stderr, is read and not shown. */
    public static ChildJvm start(List<String> jvmOptions, String mainClass, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
        command.addAll(arguments);
        return new ChildJvm(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /**
     * Waits until the child has printed a line that begins like this, and returns the line.
     *
     * @throws IOException when the child ends without it or the time is over; the message has what it printed instead
     */
    public String awaitLine(String beginning, Duration atMost) throws IOException, InterruptedException {
        return output.awaitLine(beginning, atMost);
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** The time that all threads of the child have spent on a processor since it began, in steps of about 10 ms. */
    public Duration cpuTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Asks the child to end, and kills it if it does not. It is gone when this returns. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(POLITE_SECONDS, TimeUnit.SECONDS))
                process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        forgetHook();
    }

    private void forgetHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException processEnds) {
            // Then it does no harm.
        }
    }
}
