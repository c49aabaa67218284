package dev.semel.testkit.mariadb;

import dev.semel.testkit.server.FreePort;
import dev.semel.testkit.server.ProcessEnd;
import dev.semel.testkit.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A real MariaDB as a child process of the test, from the binaries that Maven delivers. It listens on 127.0.0.1 only, keeps its
 * port over restarts, and syncs each commit unless a setting says otherwise. The user is {@code root}, without a password; there
 * is a database {@code semel}.
 *
 * <p>Its data is in the work folder: a server started on the same folder again finds what an earlier one left. Whoever starts
 * a server closes it; should the test's process end first, a shutdown hook does. Methods may be called by any thread. Needs
 * MariaDB's driver on the class path.
 */
public final class MariaDbServer implements AutoCloseable {
    private static final String NAME = "mariadb";

    private final int port;
    private final ServerProcess process;

    private MariaDbServer(int port, ServerProcess process) {
        this.port = port;
        this.process = process;
    }

    /**
     * Starts a server and returns when it takes connections.
     *
     * @param settings as options of the command line, such as {@code "--max-connections=20"}
     * @throws IllegalStateException when it does not start; the message holds its log
     */
    public static MariaDbServer start(Path workDir, String... settings) {
        try {
            Path home = MariaDbBinaries.unpacked();
            Path data = Files.createDirectories(workDir.toAbsolutePath()).resolve("data");
            Path temporary = temporary(workDir);
            if (!Files.exists(data)) create(home, data, temporary);
            int port = FreePort.pick();
            List<String> command = new ArrayList<>(List.of(
                    home.resolve("bin/mariadbd").toString(),
                    "--no-defaults",
                    "--basedir=" + home,
                    "--datadir=" + data));
            command.addAll(List.of("--port=" + port, "--bind-address=127.0.0.1", "--user=" + user(), "--skip-ssl"));
            command.addAll(List.of("--socket=" + workDir.toAbsolutePath().resolve("s"), "--skip-name-resolve"));
            command.addAll(List.of("--pid-file=" + workDir.toAbsolutePath().resolve("pid")));
            command.add("--tmpdir=" + temporary);
            command.addAll(List.of("--innodb-flush-log-at-trx-commit=1", "--innodb-log-file-size=16M"));
            command.addAll(List.of(settings));
            MariaDbServer server = new MariaDbServer(port, ServerProcess.launch(NAME, workDir, command, Map.of()));
            server.awaitConnections();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void create(Path home, Path data, Path temporary) throws IOException {
        Path log = data.resolveSibling("install.log");
        ProcessBuilder installing = new ProcessBuilder(
                        home.resolve("scripts/mariadb-install-db").toString(),
                        "--no-defaults",
                        "--basedir=" + home,
                        "--datadir=" + data,
                        "--user=" + user(),
                        "--auth-root-authentication-method=normal",
                        "--innodb-log-file-size=16M",
                        "--skip-test-db",
                        "--skip-name-resolve")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        installing.environment().put("TMPDIR", temporary.toString());
        Process install = installing.start();
        if (!ProcessEnd.well(install))
            throw new IllegalStateException("MariaDB could not create its data folder:\n" + Files.readString(log));
    }

    /** Of its own: a server that starts removes the temporary files of all others there. */
    private static Path temporary(Path workDir) throws IOException {
        return Files.createDirectories(workDir.toAbsolutePath().resolve("tmp"));
    }

    private static String user() {
        return System.getProperty("user.name");
    }

    private void awaitConnections() {
        process.await(this::takesConnections);
    }

    private boolean takesConnections() {
        try (var connection = DriverManager.getConnection(jdbcUrl(""));
                var statement = connection.createStatement()) {
            statement.execute("create database if not exists semel");
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    /** For the database {@code semel}. Stays the same over restarts. */
    public String jdbcUrl() {
        return jdbcUrl("semel");
    }

    /** For another database of this server, which the caller has made. */
    public String jdbcUrl(String database) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?user=root";
    }

    public int port() {
        return port;
    }

    /** What the server has said so far. */
    public String log() {
        return process.log();
    }

    /** Kills it with SIGKILL, as a crash of the machine would. Returns when it is gone. */
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

    /** Starts the server again on the same data and port, stopping it first if it runs. */
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
