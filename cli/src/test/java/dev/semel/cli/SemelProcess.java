package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command line as a process of its own, on the class path of the tests. Dead when it is closed, or with the tests. */
final class SemelProcess implements AutoCloseable {
    static final List<String> JVM = GatewayJvm.with("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m");

    private final Process process;
    private final ProcessOutput out;
    private final ProcessOutput err;
    private final Thread hook;

    private SemelProcess(Process process) {
        this.process = process;
        this.out = ProcessOutput.of(process.getInputStream(), "stdout-of-" + process.pid());
        this.err = ProcessOutput.of(process.getErrorStream(), "stderr-of-" + process.pid());
        this.hook = new Thread(process::destroyForcibly, "end-semel");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    static SemelProcess start(String... arguments) throws IOException {
        return start(Map.of(), arguments);
    }

    /** With these variables, and no other {@code SEMEL_*} ones. */
    static SemelProcess start(Map<String, String> variables, String... arguments) throws IOException {
        return new SemelProcess(
                builder(SharedClasses.options(arguments), variables, arguments).start());
    }

    /** So that it hears SIGHUP also when a build runs under {@code nohup}, which hands on that it is ignored. */
    static SemelProcess startHearingHangUp(String... arguments) throws IOException {
        ProcessBuilder builder = builder(SharedClasses.options(arguments), Map.of(), arguments);
        builder.command().addAll(0, List.of("env", "--default-signal=HUP"));
        return new SemelProcess(builder.start());
    }

    /** With options of its own for the JVM. */
    static SemelProcess startWith(List<String> options, String... arguments) throws IOException {
        return new SemelProcess(builder(options, Map.of(), arguments).start());
    }

    /** With this file as its standard input. */
    static SemelProcess startReading(Path input, String... arguments) throws IOException {
        return new SemelProcess(builder(SharedClasses.options(arguments), Map.of(), arguments)
                .redirectInput(input.toFile())
                .start());
    }

    private static ProcessBuilder builder(List<String> options, Map<String, String> variables, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(options);
        command.addAll(List.of("-cp", SharedClasses.CLASS_PATH, Main.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("SEMEL_"));
        builder.environment().putAll(variables);
        return builder;
    }

    /** Waits until this has been printed to stderr. */
    void awaitError(String part) throws InterruptedException {
        assertTrue(err.awaitText(part), () -> "never said '" + part + "', but:\n" + err.soFar());
    }

    /** Waits until this has been printed to stdout. */
    void awaitOutput(String part) throws InterruptedException {
        assertTrue(out.awaitText(part), () -> "never said '" + part + "', but:\n" + out.soFar() + err.soFar());
    }

    String errorSoFar() {
        return err.soFar();
    }

    /** Sends SIGTERM, and goes on listening to what it says. */
    void terminate() {
        process.toHandle().destroy();
    }

    /** Sends a signal by its name, such as STOP and CONT. */
    void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    /** Sends SIGKILL; the process is gone when this returns. */
    void kill9() {
        process.destroyForcibly().onExit().join();
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(Await.LONG.toSeconds(), TimeUnit.SECONDS)) fail("still runs:\n" + err.soFar());
        return process.exitValue();
    }

    /** How it ended by itself. */
    Ended ended() throws InterruptedException {
        int code = exitCode();
        return new Ended(code, out.whole(), err.whole());
    }

    /** The same for what may take as long as its test. */
    Ended awaitEnd() throws InterruptedException {
        process.waitFor();
        return ended();
    }

    /** The processes that it has started. */
    List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    record Ended(int code, String out, String err) {}

    @Override
    public void close() {
        kill9();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The tests are ending already, and the hook has nothing left to do.
        }
    }
}
