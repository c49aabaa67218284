package dev.semel.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * The process of a real server, with all its children. It can be killed, paused and started again by the same command;
 * what it says goes into a file. Whoever starts one closes it; should the test's own process end first, a shutdown hook
 * does. Methods may be called by any thread.
 */
public final class ServerProcess implements AutoCloseable {
    private static final Duration SHUT_DOWN = Duration.ofSeconds(20);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private final String name;
    private final ProcessBuilder command;
    private final Path log;
    private final String stopSignal;
    private final Thread hook;
    private volatile Process process;

    private ServerProcess(String name, ProcessBuilder command, Path log, String stopSignal) throws IOException {
        this.name = name;
        this.command = command;
        this.log = log;
        this.stopSignal = stopSignal;
        this.process = command.start();
        this.hook = new Thread(this::stop, "end-" + name);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Launches a server; it need not be ready when this returns.
     *
     * @param name for messages, and for the log {@code NAME.log} in its folder
     * @param workDir the folder it is started in; made if it is missing
     * @param environment variables beside those of the test
     */
    public static ServerProcess launch(
            String name, Path workDir, List<String> command, Map<String, String> environment) {
        return launch(name, workDir, command, environment, "-TERM");
    }

    /** The same for a server that shuts down on another signal than SIGTERM, such as {@code "-INT"}. */
    public static ServerProcess launch(
            String name, Path workDir, List<String> command, Map<String, String> environment, String stopSignal) {
        try {
            Path log = Files.createDirectories(workDir.toAbsolutePath()).resolve(name + ".log");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(workDir.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().putAll(environment);
            return new ServerProcess(name, builder, log, stopSignal);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits until the server is ready, a minute at most.
     *
     * @throws IllegalStateException when it ends before, or takes too long; the message holds its log
     */
    public void await(BooleanSupplier ready) {
        if (isReady(ready)) return;
        String said = log();
        close();
        throw new IllegalStateException(name + " did not start:\n" + said);
    }

    /** Whether the server becomes ready before it ends, and within a minute. */
    public boolean isReady(BooleanSupplier ready) {
        long deadline = System.nanoTime() + ProcessEnd.LONGEST.toNanos();
        while (!ready.getAsBoolean())
            if (ProcessEnd.within(BETWEEN_LOOKS, process) || System.nanoTime() - deadline > 0) return false;
        return true;
    }

    /** The id of its first process, dead or alive. */
    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** What the server has said so far. */
    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return "(no log: " + e + ")";
        }
    }

    /** Kills it and all its children with SIGKILL, as a crash of the machine would. Returns when they are gone. */
    public synchronized void kill9() {
        // Stopped first: a child made after the list of them was would live on and keep the data locked.
        signal("-STOP", pid());
        List<ProcessHandle> children = process.descendants().toList();
        ProcessEnd.within(SHUT_DOWN, process.destroyForcibly());
        children.forEach(ProcessHandle::destroyForcibly);
        ProcessEnd.all(SHUT_DOWN, children);
    }

    /** Stops all its processes with SIGSTOP, as a machine that hangs: connections stay open, and nobody answers. */
    public synchronized void pause() {
        signal("-STOP", pid());
        process.descendants().forEach(child -> signal("-STOP", child.pid()));
    }

    /** Ends a pause: what was sent meanwhile is done now. */
    public synchronized void resume() {
        process.descendants().forEach(child -> signal("-CONT", child.pid()));
        signal("-CONT", pid());
    }

    /** Launches it again by the same command, stopping it first if it runs. */
    public synchronized void relaunch() {
        stop();
        try {
            process = command.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() {
        stop();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The hooks run already; this one finds nothing left to stop.
        }
    }

    /** A process that is paused would never hear the signal. */
    private void stop() {
        if (!process.isAlive()) return;
        signal(stopSignal, pid());
        signal("-CONT", pid());
        if (!ProcessEnd.within(SHUT_DOWN, process)) kill9();
    }

    private static void signal(String signal, long pid) {
        try {
            ProcessEnd.well(new ProcessBuilder("kill", signal, Long.toString(pid)).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
