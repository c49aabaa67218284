package dev.semel.torture.system;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process that the run has started, and may kill. What it prints goes to a file. */
final class ChildProcess {
    private final RunCleanup cleanup;
    private final Process process;

    private ChildProcess(RunCleanup cleanup, Process process) {
        this.cleanup = cleanup;
        this.process = process;
        cleanup.killAtEnd(process.pid());
    }

    static ChildProcess start(RunCleanup cleanup, List<String> command, Map<String, String> variables, Path log)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("SEMEL_"));
        builder.environment().putAll(variables);
        return new ChildProcess(cleanup, builder.start());
    }

    /** Another JVM with the JDK, class path and class archive of this one, unless the options say otherwise. */
    static List<String> jvm(List<String> options, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        for (String given : ManagementFactory.getRuntimeMXBean().getInputArguments())
            if (given.startsWith("-XX:SharedArchiveFile=")) command.add(given);
        command.addAll(options);
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean awaitEnd(Duration atMost) throws InterruptedException {
        boolean ended = process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
        if (ended) cleanup.forget(process.pid());
        return ended;
    }

    int exitCode() {
        return process.exitValue();
    }

    void pause() throws IOException, InterruptedException {
        if (isAlive()) Command.stop(pid());
    }

    void resume() throws IOException, InterruptedException {
        if (isAlive()) Command.signal(pid(), "CONT");
    }

    /** SIGKILL; it is gone when this returns. */
    void kill() throws IOException, InterruptedException {
        process.destroyForcibly().waitFor();
        for (String left : WallClock.leftBy(pid())) Files.deleteIfExists(Path.of(left));
        cleanup.forget(process.pid());
    }
}
