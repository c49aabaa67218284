package dev.semel.testkit.elasticmq;

import dev.semel.testkit.server.FreePort;
import dev.semel.testkit.server.ServerClassPath;
import dev.semel.testkit.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An ElasticMQ, which speaks as SQS does, as a child process of the test, from the jars that Maven delivers. It listens on 127.0.0.1
 * only. It takes any credentials, but wants some.
 *
 * <p>It is not SQS: it throttles nobody, knows no permissions, and keeps its queues in memory, so they are gone when it ends. Whoever
 * starts a server closes it; should the test's process end first, a shutdown hook does. Methods may be called by any thread.
 */
public final class ElasticMqServer implements AutoCloseable {
    private static final String MODULE = "testkit/servers/elasticmq";

    private final int port;
    private final ServerProcess process;

    private ElasticMqServer(int port, ServerProcess process) {
        this.port = port;
        this.process = process;
    }

    /**
     * Starts a server and returns when it answers.
     *
     * @param workDir where its log goes
     * @throws IllegalStateException when its jars are missing, or it does not start; the message holds what to do, or its log
     */
    public static ElasticMqServer start(Path workDir) {
        try {
            int port = FreePort.pick();
            ElasticMqServer server =
                    new ElasticMqServer(port, ServerProcess.launch("elasticmq", workDir, command(port), Map.of()));
            server.process.await(server::answers);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> command(int port) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        command.addAll(List.of("-cp", ServerClassPath.of(ElasticMqMain.class, "ElasticMQ", MODULE)));
        command.addAll(List.of(ElasticMqMain.class.getName(), Integer.toString(port)));
        return command;
    }

    /** Whatever it says to a request that is none. */
    private boolean answers() {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) endpoint().toURL().openConnection();
            connection.setConnectTimeout(1000);
            connection.setReadTimeout(5000);
            return connection.getResponseCode() > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Where it listens. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + port);
    }

    public int port() {
        return port;
    }

    /** Its process id, dead or alive. */
    public long pid() {
        return process.pid();
    }

    /** What it has said so far. */
    public String log() {
        return process.log();
    }

    /** Stops it with SIGSTOP, as a machine that hangs: connections stay open, and nobody answers. */
    public void pause() {
        process.pause();
    }

    /** Ends a pause: what was sent meanwhile is done now. */
    public void resume() {
        process.resume();
    }

    /** Ends it, with all that is in it. */
    @Override
    public void close() {
        process.close();
    }
}
