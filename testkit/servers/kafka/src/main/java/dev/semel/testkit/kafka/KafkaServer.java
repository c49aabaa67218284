package dev.semel.testkit.kafka;

import dev.semel.testkit.server.FreePort;
import dev.semel.testkit.server.ServerClassPath;
import dev.semel.testkit.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A real Kafka of one node as a child process of the test, from the jars that Maven delivers, on the JDK that the test runs on. It
 * listens on 127.0.0.1 only and keeps its ports over restarts. It makes no topics by itself.
 *
 * <p>It takes about three seconds to start: {@link #launch} it early and {@link #awaitConnections} when it is needed. Its data is in the
 * work folder: a server started on the same folder again finds what an earlier one left. Whoever starts a server closes
 * it; should the test's process end first, a shutdown hook does. Methods may be called by any thread.
 */
public final class KafkaServer implements AutoCloseable {
    private final int port;
    private final ServerProcess process;

    private KafkaServer(int port, ServerProcess process) {
        this.port = port;
        this.process = process;
    }

    /**
     * Starts a server and returns when it takes connections.
     *
     * @param workDir where its data and its log go
     * @param settings as in {@code server.properties}, such as {@code "auto.create.topics.enable=true"}; they win over those that a
     *     server has here
     * @throws IllegalStateException when its jars are missing, or it does not start; the message holds what to do, or its log
     */
    public static KafkaServer start(Path workDir, String... settings) {
        KafkaServer server = launch(workDir, settings);
        server.awaitConnections();
        return server;
    }

    /** The same without waiting. */
    public static KafkaServer launch(Path workDir, String... settings) {
        try {
            Path folder = Files.createDirectories(workDir.toAbsolutePath());
            int port = FreePort.pick();
            Path file = folder.resolve("server.properties");
            Files.writeString(file, settings(port, FreePort.pick(), folder) + String.join("\n", settings) + "\n");
            return new KafkaServer(port, ServerProcess.launch("kafka", folder, command(file), Map.of()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String settings(int port, int controller, Path folder) {
        return """
            process.roles=broker,controller
            node.id=1
            controller.quorum.bootstrap.servers=127.0.0.1:%2$d
            listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
            advertised.listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
            controller.listener.names=CONTROLLER
            log.dirs=%3$s
            offsets.topic.replication.factor=1
            offsets.topic.num.partitions=1
            transaction.state.log.replication.factor=1
            transaction.state.log.min.isr=1
            transaction.state.log.num.partitions=1
            share.coordinator.state.topic.replication.factor=1
            share.coordinator.state.topic.min.isr=1
            share.coordinator.state.topic.num.partitions=1
            group.initial.rebalance.delay.ms=0
            auto.create.topics.enable=false
            num.network.threads=1
            num.io.threads=2
            log.cleaner.enable=false
            """.formatted(port, controller, folder.resolve("data"));
    }

    private static List<String> command(Path settings) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx320m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        if (Runtime.version().feature() >= 24) command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-cp", ServerClassPath.of(KafkaMain.class, "Kafka", "testkit/servers/kafka")));
        command.addAll(List.of(KafkaMain.class.getName(), settings.toString()));
        return command;
    }

    /**
     * Waits until it takes connections, a minute at most.
     *
     * @throws IllegalStateException when it does not; the message holds its log
     */
    public void awaitConnections() {
        process.await(this::takesConnections);
    }

    private boolean takesConnections() {
        try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return connection.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** What clients begin with ({@code bootstrap.servers}). Stays the same over restarts. */
    public String bootstrap() {
        return "127.0.0.1:" + port;
    }

    /** The same as the URL of a broker. */
    public String url() {
        return "kafka://" + bootstrap();
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

    /** Starts the server again on the same data and ports, stopping it first if it runs. */
    public void restart() {
        process.relaunch();
        awaitConnections();
    }

    /** Ends the server. Its data stays. */
    @Override
    public void close() {
        process.close();
    }
}
