package dev.semel.bench;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Another program, in a process of its own, whose output is read and kept. It dies with {@link #close}, or else with this
 * process.
 */
public class ChildProcess implements AutoCloseable {
    private static final long SECONDS_TO_END = 10;

    private final Process process;
    private final ChildOutput output;
    private final Thread hook;

    ChildProcess(ProcessBuilder builder) throws IOException {
        this.process = builder.redirectErrorStream(true).start();
        this.output = ChildOutput.of(process);
        this.hook = Thread.ofPlatform().unstarted(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Starts a program. What it prints, also to stderr, is read and not shown. */
    public static ChildProcess start(List<String> command, Path folder, Map<String, String> environment)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().putAll(environment);
        return new ChildProcess(builder);
    }

    /**
     * Waits until the child has printed a line that begins like this, and returns the line.
     *
     * @throws IOException when the child ends without it or the time is over; the message has what it printed instead
     */
    public final String awaitLine(String beginning, Duration atMost) throws IOException, InterruptedException {
        return output.awaitLine(beginning, atMost);
    }

    /** Sends a line to the child's input, and waits for a line that begins like this and came after it. */
    public final String ask(String line, String beginning, Duration atMost) throws IOException, InterruptedException {
        output.forget();
        Writer input = process.outputWriter();
        input.write(line + "\n");
        input.flush();
        return output.awaitLine(beginning, atMost);
    }

    /** The last lines that it printed. */
    public final String printed() {
        return output.toString();
    }

    public final long pid() {
        return process.pid();
    }

    public final boolean isAlive() {
        return process.isAlive();
    }

    /** The time that it and all its own children have spent on a processor since they began, in steps of about 10 ms. */
    public final Duration cpuTime() {
        return ProcessCpu.of(pid());
    }

    /** Asks the child to end, and kills it and its descendants if it does not. It is gone when this returns. */
    @Override
    public final void close() {
        List<ProcessHandle> grandchildren = process.descendants().toList();
        process.destroy();
        try {
            if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS))
                process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        grandchildren.forEach(ProcessHandle::destroyForcibly);
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
