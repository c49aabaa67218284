package dev.semel.testkit.dynamodb;

import dev.semel.testkit.server.FreePort;
import dev.semel.testkit.server.ServerClassPath;
import dev.semel.testkit.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A real DynamoDB Local as a child process of the test, from the jars that Maven delivers. It listens on 127.0.0.1 only
 * and keeps its port over restarts. It takes any credentials, but wants some: {@link #credentials}.
 *
 * <p>It is not DynamoDB: it runs on one SQLite file, throttles nobody, and deletes by TTL within seconds where the real one
 * may take days. Whoever starts a server closes it; should the test's process end first, a shutdown hook does. Methods may
 * be called by any thread.
 */
public final class DynamoDbServer implements AutoCloseable {
    private static final String NAME = "dynamodb";
    private static final String MODULE = "testkit/servers/dynamodb";

    private final ServerProcess process;
    private final int port;

    private DynamoDbServer(Path workDir, List<String> storage) throws IOException {
        this.port = FreePort.pick();
        this.process = ServerProcess.launch(NAME, workDir, command(port, storage), Map.of());
    }

    /**
     * Starts a server that keeps its tables in this folder, and returns when it answers. One that is started on the same
     * folder again finds what an earlier one left.
     *
     * @throws IllegalStateException when its jars are missing, or it does not start; the message holds what to do, or its log
     */
    public static DynamoDbServer start(Path workDir) {
        try {
            Path data = Files.createDirectories(workDir.toAbsolutePath().resolve("data"));
            return started(new DynamoDbServer(workDir, List.of("-dbPath", data.toString())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same, in memory alone: its tables are gone when it ends. */
    public static DynamoDbServer startInMemory(Path workDir) {
        try {
            return started(new DynamoDbServer(workDir, List.of("-inMemory")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static DynamoDbServer started(DynamoDbServer server) {
        server.process.await(server::answers);
        return server;
    }

    private static List<String> command(int port, List<String> storage) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dlog4j2.level=ERROR"));
        if (Runtime.version().feature() >= 24) command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of(
                "-cp", ServerClassPath.of(LocalMain.class, "DynamoDB Local", MODULE), LocalMain.class.getName()));
        command.addAll(List.of("-sharedDb", "-disableTelemetry", "-port", Integer.toString(port)));
        command.addAll(storage);
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

    /** Where it listens. Stays the same over restarts. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + port);
    }

    public int port() {
        return port;
    }

    /** Variables for the environment of a process that is to use it. */
    public static Map<String, String> credentials() {
        return Map.of("AWS_ACCESS_KEY_ID", "local", "AWS_SECRET_ACCESS_KEY", "local");
    }

    /** Its process id, dead or alive. */
    public long pid() {
        return process.pid();
    }

    /** What it has said so far. */
    public String log() {
        return process.log();
    }

    /** Kills it with SIGKILL, and returns when it is gone. */
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

    /** Starts it again on the same port, and on the same tables unless they were in memory; stops it first if it runs. */
    public void restart() {
        process.relaunch();
        process.await(this::answers);
    }

    /** Ends it. What it keeps in its folder stays. */
    @Override
    public void close() {
        process.close();
    }
}
