package dev.semel.testkit.rabbitmq;

import dev.semel.testkit.server.FreePort;
import dev.semel.testkit.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A real RabbitMQ of one node as a child process of the test, from Debian's package {@code rabbitmq-server}. All of it listens on
 * 127.0.0.1 only, and it keeps its ports over restarts. Its user {@code guest} has the password {@code guest}.
 *
 * <p>It takes five to ten seconds to start: {@link #launch} it early and {@link #awaitConnections} when it is needed. Its
 * data is in the work folder: what is in durable queues is there after a restart. Whoever starts a server closes it; should the
 * test's process end first, a shutdown hook does. Methods may be called by any thread.
 */
public final class RabbitMqServer implements AutoCloseable {
    private static final byte[] HELLO = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};

    private final int port;
    private final Path folder;
    private final Map<String, String> environment;
    private final ServerProcess process;

    private RabbitMqServer(int port, Path folder, Map<String, String> environment, ServerProcess process) {
        this.port = port;
        this.folder = folder;
        this.environment = environment;
        this.process = process;
    }

    /**
     * Starts a server and returns when it takes connections.
     *
     * @param workDir where its data and its log go
     * @param settings as in {@code rabbitmq.conf}, such as {@code "max_message_size = 2000000"}
     * @throws IllegalStateException when it is not installed, or does not start; the message holds what to do, or its log
     */
    public static RabbitMqServer start(Path workDir, String... settings) {
        RabbitMqServer server = launch(workDir, settings);
        server.awaitConnections();
        return server;
    }

    /** The same without waiting. */
    public static RabbitMqServer launch(Path workDir, String... settings) {
        try {
            Path folder = Files.createDirectories(workDir.toAbsolutePath());
            int port = FreePort.pick();
            int mapping = FreePort.pick();
            Files.writeString(
                    folder.resolve("rabbitmq.conf"),
                    "listeners.tcp.1 = 127.0.0.1:" + port + "\n" + String.join("\n", settings) + "\n");
            Files.writeString(folder.resolve("enabled_plugins"), "[].\n");
            Map<String, String> environment =
                    RabbitMqCommands.environment(folder, "semel" + port, mapping, FreePort.pick());
            ServerProcess process =
                    ServerProcess.launch("rabbitmq", folder, RabbitMqCommands.server(mapping), environment);
            return new RabbitMqServer(port, folder, environment, process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits until it takes connections, a minute at most.
     *
     * @throws IllegalStateException when it does not; the message holds its log
     */
    public void awaitConnections() {
        process.await(this::answers);
    }

    private boolean answers() {
        try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
            connection.setSoTimeout(1000);
            connection.getOutputStream().write(HELLO);
            return connection.getInputStream().read() == 1;
        } catch (IOException e) {
            return false;
        }
    }

    public int port() {
        return port;
    }

    /** For the user {@code guest} and the virtual host {@code /}. Stays the same over restarts. */
    public String url() {
        return "amqp://guest:guest@127.0.0.1:" + port;
    }

    /** The id of its first process, dead or alive. */
    public long pid() {
        return process.pid();
    }

    /** What the server has said so far. */
    public String log() {
        return process.log();
    }

    /** Runs {@code rabbitmqctl} with these arguments, which takes about a second. @return what it said */
    public String control(String... arguments) {
        return RabbitMqCommands.control(environment, folder, arguments);
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

    /** Starts the server again on the same data and ports, stopping it first if it runs. */
    public void restart() {
        relaunch();
        awaitConnections();
    }

    /** The same without waiting. */
    public void relaunch() {
        process.relaunch();
    }

    /** Ends the server. Its data stays. */
    @Override
    public void close() {
        process.close();
    }
}
