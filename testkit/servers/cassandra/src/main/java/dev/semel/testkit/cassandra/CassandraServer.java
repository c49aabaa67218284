package dev.semel.testkit.cassandra;

import dev.semel.testkit.server.FreePort;
import dev.semel.testkit.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A real Cassandra of one node as a child process of the test, from the jars that Maven delivers, on the JDK that the test
 * runs on. It listens on 127.0.0.1 only and keeps its ports over restarts. Its data center is {@code datacenter1}, and
 * everybody may do everything unless a setting says otherwise.
 *
 * <p>It takes about seven seconds to start: {@link #launch} it early and {@link #awaitConnections} when it is needed. Its data
 * is in the work folder: a server started on the same folder again finds what an earlier one left. Whoever starts a
 * server closes it; should the test's process end first, a shutdown hook does. Methods may be called by any thread.
 */
public final class CassandraServer implements AutoCloseable {
    public static final String DATACENTER = "datacenter1";

    private final int port;
    private final int storagePort;
    private final ServerProcess process;

    private CassandraServer(int port, int storagePort, ServerProcess process) {
        this.port = port;
        this.storagePort = storagePort;
        this.process = process;
    }

    /**
     * Starts a server and returns when it takes connections.
     *
     * @param workDir where its data and its log go
     * @param settings as in {@code cassandra.yaml}, such as {@code "authenticator: PasswordAuthenticator"}; they win over
     *     those that a server has here, and one without a value, such as {@code "commitlog_sync_period:"}, takes it away
     * @throws IllegalStateException when it does not start; the message holds its log
     */
    public static CassandraServer start(Path workDir, String... settings) {
        CassandraServer server = launch(workDir, settings);
        server.awaitConnections();
        return server;
    }

    /** The same without waiting. */
    public static CassandraServer launch(Path workDir, String... settings) {
        try {
            int storagePort = FreePort.pick();
            return launch(workDir, storagePort, storagePort, settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Launches another node of the cluster of this one, which must be up. They know of each other a moment after it is, too. */
    public CassandraServer launchSecondNode(Path workDir, String... settings) {
        try {
            return launch(workDir, FreePort.pick(), storagePort, settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static CassandraServer launch(Path workDir, int storagePort, int seedPort, String... settings)
            throws IOException {
        int port = FreePort.pick();
        Path folder = workDir.toAbsolutePath();
        CassandraFiles.write(folder, new CassandraFiles.Ports(port, storagePort, seedPort), List.of(settings));
        ServerProcess process = ServerProcess.launch("cassandra", folder, CassandraCommand.in(folder), Map.of());
        return new CassandraServer(port, storagePort, process);
    }

    /**
     * Waits until it takes connections, a minute at most.
     *
     * @throws IllegalStateException when it does not; the message holds its log
     */
    public void awaitConnections() {
        process.await(() -> CqlHandshake.isAnswered(port));
    }

    public int port() {
        return port;
    }

    /** The URL of a store in a keyspace of this server. Stays the same over restarts. */
    public String url(String keyspace) {
        return "cassandra://127.0.0.1:" + port + "/" + keyspace + "?dc=" + DATACENTER;
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

    /** Ends the server, however many connections it still has. Its data stays. */
    @Override
    public void close() {
        process.close();
    }
}
