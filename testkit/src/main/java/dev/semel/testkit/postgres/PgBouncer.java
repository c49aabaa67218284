package dev.semel.testkit.postgres;

import dev.semel.testkit.server.FreePort;
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
 * A real PgBouncer in transaction mode in front of a server: each transaction gets one of a few connections to the server, so what is
 * kept in a session is soon somebody else's. It listens on 127.0.0.1 only. Whoever starts one closes it.
 */
public final class PgBouncer implements AutoCloseable {
    private static final List<Path> FOLDERS =
            List.of(Path.of("/usr/sbin"), Path.of("/usr/bin"), Path.of("/usr/local/bin"));

    private final int port;
    private final ServerProcess process;

    private PgBouncer(int port, ServerProcess process) {
        this.port = port;
        this.process = process;
    }

    /**
     * Starts it and returns when it takes connections.
     *
     * @param workDir where its configuration and its log go
     * @param connections how many it has to each database of the server
     */
    public static PgBouncer start(Path workDir, PostgresServer server, int connections) {
        try {
            int port = FreePort.pick();
            Path folder = Files.createDirectories(workDir.toAbsolutePath());
            Path configuration =
                    Files.writeString(folder.resolve("pgbouncer.ini"), """
                        [databases]
                        * = host=127.0.0.1 port=%d user=postgres
                        [pgbouncer]
                        listen_addr = 127.0.0.1
                        listen_port = %d
                        unix_socket_dir =
                        auth_type = any
                        pool_mode = transaction
                        default_pool_size = %d
                        max_client_conn = 500
                        ignore_startup_parameters = extra_float_digits
                        """.formatted(server.port(), port, connections));
            List<String> command = new ArrayList<>(Unprivileged.command(folder, program()));
            command.add(configuration.toString());
            PgBouncer bouncer = new PgBouncer(port, ServerProcess.launch("pgbouncer", folder, command, Map.of()));
            bouncer.process.await(bouncer::takesConnections);
            return bouncer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path program() {
        return FOLDERS.stream()
                .map(folder -> folder.resolve("pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() ->
                        new IllegalStateException("There is no pgbouncer; install it: scripts/tools.sh pgbouncer"));
    }

    private boolean takesConnections() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** The way to a database of the server; this PgBouncer may know no prepared statements, so the driver prepares none. */
    public String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=postgres&prepareThreshold=0";
    }

    @Override
    public void close() {
        process.close();
    }
}
