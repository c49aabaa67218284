package dev.semel.testkit.postgres;

import dev.semel.testkit.server.ProcessEnd;
import dev.semel.testkit.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The data of one server in its work folder, and the programs that make it and serve it. */
final class PostgresCluster {
    private static final String NAME = "postgres";

    private final Path home;
    private final Path workDir;
    private final Path data;
    private final Path log;

    PostgresCluster(Path home, Path workDir) throws IOException {
        this.home = home;
        this.workDir = Files.createDirectories(workDir.toAbsolutePath());
        this.data = this.workDir.resolve("data");
        this.log = this.workDir.resolve(NAME + ".log");
    }

    /** Makes an empty cluster, unless there is one. All are copies of the first of this version, which saves a second. */
    void create() throws IOException {
        if (Files.exists(data.resolve("PG_VERSION"))) return;
        Path first = home.resolveSibling(home.getFileName() + "-empty");
        if (!Files.exists(first)) initialize(first);
        if (!ProcessEnd.well(start(List.of("cp", "-a", first.toString(), data.toString()))))
            throw new IllegalStateException("The data folder of PostgreSQL could not be copied:\n" + log());
    }

    /** Makes it beside its place and moves it there in one step: half a cluster is never copied. */
    private void initialize(Path first) throws IOException {
        Path fresh = Files.createTempDirectory(first.getParent(), "initializing");
        List<String> command = Unprivileged.command(fresh, home.resolve("bin/initdb"));
        command.addAll(List.of("-D", fresh.toString(), "-A", "trust", "-U", "postgres"));
        command.addAll(List.of("-E", "UTF8", "--no-locale", "--no-sync"));
        if (!ProcessEnd.well(start(command)))
            throw new IllegalStateException("PostgreSQL could not create its data folder:\n" + log());
        try {
            Files.move(fresh, first, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            PostgresBinaries.deleteTree(fresh);
            boolean anotherWasFaster = Files.exists(first);
            if (!anotherWasFaster) throw e;
        }
    }

    /** SIGINT is PostgreSQL's fast shutdown; SIGTERM would wait for every client. */
    ServerProcess launch(int port, List<String> settings) throws IOException {
        List<String> command = Unprivileged.command(data, home.resolve("bin/postgres"));
        command.addAll(List.of("-D", data.toString(), "-p", Integer.toString(port)));
        List<String> all = new ArrayList<>(List.of("listen_addresses=127.0.0.1", "unix_socket_directories="));
        all.addAll(List.of("fsync=on", "synchronous_commit=on"));
        all.addAll(settings);
        for (String setting : all) command.addAll(List.of("-c", setting));
        return ServerProcess.launch(NAME, workDir, command, Map.of(), "-INT");
    }

    private Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .directory(workDir.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return "(no log: " + e + ")";
        }
    }
}
