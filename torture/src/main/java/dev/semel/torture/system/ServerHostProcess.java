package dev.semel.torture.system;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The process that has started the server of a store, and does to it what it is told. Both are gone when the run is. Safe for use by any thread. */
public final class ServerHostProcess {
    private static final List<String> JVM =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "--enable-native-access=ALL-UNNAMED");

    private final PrintWriter orders;
    private final BufferedReader answers;
    private final Path log;
    private final long pid;
    private final String about;

    private ServerHostProcess(RunCleanup cleanup, Process process, Path log) throws IOException {
        this.log = log;
        this.pid = process.pid();
        cleanup.killWithChildrenAtEnd(process.pid());
        this.orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.about = answer();
    }

    /**
     * Returns when the servers are ready.
     *
     * @param folder of the run; its data goes into a folder in it
     * @param ports of the nodes of a cluster
     */
    static ServerHostProcess start(
            RunCleanup cleanup, ServersProgram program, Path folder, StoreKind kind, List<String> ports)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(List.of("-cp", program.classPath(), ServersProgram.MAIN, kind.title()));
        command.add(folder.resolve("store").toString());
        command.addAll(ports);
        Path log = folder.resolve("servers.log");
        Process process = new ProcessBuilder(command)
                .directory(program.folder().toFile())
                .redirectError(log.toFile())
                .start();
        return new ServerHostProcess(cleanup, process, log);
    }

    /** Its own; the servers are its children. */
    public long pid() {
        return pid;
    }

    /** What the host has said of the servers when they were ready: the port of a single one. */
    String about() {
        return about;
    }

    /**
     * Returns what it answers, when it is done.
     *
     * @throws IOException when it cannot be done: a server did not come back, for one
     */
    synchronized String tell(String order, String name) throws IOException {
        orders.println((order + " " + name).strip());
        return answer();
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line != null && line.startsWith("ok")) return line.substring(2).strip();
        throw new IOException("The server of the store: " + (line == null ? "its host has ended" : line) + ". See "
                + log.getFileName() + " in the report.");
    }
}
