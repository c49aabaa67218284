package dev.semel.testkit.nats;

import dev.semel.testkit.server.FreePort;
import dev.semel.testkit.server.ServerProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A real NATS with JetStream as a child process of the test, from the machine's own {@code nats-server}. It listens on 127.0.0.1
 * only and keeps its port over restarts.
 *
 * <p>Its data is in the work folder: a server started on the same folder again finds what an earlier one left. Whoever starts a
 * server closes it; should the test's process end first, a shutdown hook does. Methods may be called by any thread.
 */
public final class NatsServer implements AutoCloseable {
    private static final String PROGRAM = "nats-server";

    private final int port;
    private final ServerProcess process;

    private NatsServer(int port, ServerProcess process) {
        this.port = port;
        this.process = process;
    }

    /**
     * Starts a server and returns when it answers.
     *
     * @param workDir where its data and its log go
     * @param settings lines of its configuration, such as {@code "max_payload: 2MB"}
     * @throws IllegalStateException when there is none on this machine, or it does not start; the message holds what to do, or its
     *     log
     */
    public static NatsServer start(Path workDir, String... settings) {
        try {
            String program = program();
            Path folder = Files.createDirectories(workDir.toAbsolutePath());
            int port = FreePort.pick();
            Path file = folder.resolve("nats.conf");
            Files.writeString(file, settings(port, folder) + String.join("\n", settings) + "\n");
            List<String> command = List.of(program, "-c", file.toString());
            NatsServer server = new NatsServer(port, ServerProcess.launch("nats", folder, command, Map.of()));
            server.process.await(server::answers);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String settings(int port, Path folder) {
        return """
            host: 127.0.0.1
            port: %d
            jetstream { store_dir: "%s" }
            """.formatted(port, folder.resolve("data"));
    }

    private static String program() {
        List<String> folders = new ArrayList<>();
        String path = System.getenv("PATH");
        if (path != null) folders.addAll(List.of(path.split(File.pathSeparator, -1)));
        folders.addAll(List.of("/usr/sbin", "/usr/local/bin"));
        for (String folder : folders) {
            Path program = Path.of(folder, PROGRAM);
            if (Files.isExecutable(program)) return program.toString();
        }
        throw new IllegalStateException(
                "There is no nats-server on this machine. scripts/tools.sh nats-server installs it.");
    }

    /** A server says who it is as soon as somebody connects. */
    private boolean answers() {
        try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
            connection.setSoTimeout(1000);
            byte[] first = connection.getInputStream().readNBytes(4);
            return new String(first, StandardCharsets.US_ASCII).equals("INFO");
        } catch (IOException e) {
            return false;
        }
    }

    /** Its URL. Stays the same over restarts. */
    public String url() {
        return "nats://127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    /** The id of its process, dead or alive. */
    public long pid() {
        return process.pid();
    }

    /** What the server has said so far. */
    public String log() {
        return process.log();
    }

    /** Kills it with SIGKILL. Returns when it is gone. */
    public void kill9() {
        process.kill9();
    }

    /** Stops it with SIGSTOP, as a machine that hangs: connections stay open, and nobody answers. */
    public void pause() {
        process.pause();
    }

    /** Ends a pause: what was sent meanwhile is done now. */
    public void resume() {
        process.resume();
    }

    /** Starts it again on the same data and port, stopping it first if it runs. */
    public void restart() {
        process.relaunch();
        process.await(this::answers);
    }

    /** Ends the server. Its data stays. */
    @Override
    public void close() {
        process.close();
    }
}
