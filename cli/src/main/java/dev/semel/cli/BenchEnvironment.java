package dev.semel.cli;

import dev.semel.bench.ChildJvm;
import dev.semel.bench.GatewayBench.Store;
import dev.semel.bench.Tool;
import dev.semel.testkit.postgres.PostgresServer;
import dev.semel.torture.system.RunCleanup;
import dev.semel.torture.system.ServerHostProcess;
import dev.semel.torture.system.ServersProgram;
import dev.semel.torture.system.StoreKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a benchmark runs with: a folder of its own, and stores and servers that start when it needs them. */
final class BenchEnvironment implements AutoCloseable {
    private static final String SERVERS = "torture/servers";

    /** DynamoDB Local takes any credentials, but wants some. */
    private static final List<String> JVM =
            GatewayJvm.with("-XX:+UseParallelGC", "-Xmx1g", "-Daws.accessKeyId=local", "-Daws.secretAccessKey=local");

    private final TemporaryFolder folder;
    private @Nullable PostgresServer postgres;
    private @Nullable RunCleanup servers;

    /** With its folder in this one, or where the system has temporary folders. */
    BenchEnvironment(@Nullable Path parent) throws IOException {
        this.folder = TemporaryFolder.create(parent, "semel-bench");
    }

    Path folder() {
        return folder.path();
    }

    /** A store by its name; any other text is the URL of one. */
    Store store(String name) {
        return switch (name) {
            case "rocksdb" -> new Store(name, "rocksdb:" + folder().resolve("sync"), 0);
            case "rocksdb-os" -> new Store(name, "rocksdb:" + folder().resolve("os") + "?durability=os", 0);
            case "postgres" -> new Store(name, postgres().jdbcUrl(), postgres().pid());
            case "memory" -> new Store(name, "memory:", 0);
            case "mariadb", "redis", "dynamodb", "cassandra" -> hosted(name);
            default -> new Store(kind(name), name, 0);
        };
    }

    /** On a real server, which a process of its own has started. */
    private Store hosted(String name) {
        try {
            Path place = Files.createDirectories(folder().resolve(name));
            if (servers == null) servers = RunCleanup.of(Files.createDirectories(folder().resolve("servers")));
            ServersProgram program = new ServersProgram(SourceTree.classPath(SERVERS), SourceTree.folder(SERVERS));
            dev.semel.torture.system.Store started =
                    dev.semel.torture.system.Store.hosted(servers, program, place, StoreKind.of(name));
            ServerHostProcess host = Objects.requireNonNull(started.host(), "A hosted store has a host.");
            return new Store(name, started.direct(), host.pid());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String kind(String url) {
        String bare = url.startsWith("jdbc:") ? url.substring("jdbc:".length()) : url;
        int end = bare.indexOf(':');
        if (end < 0) throw new UsageProblem("There is no store called " + url + ".");
        return bare.substring(0, end);
    }

    /** A server as durable as in production, which also counts statements. */
    PostgresServer postgres() {
        if (postgres == null)
            postgres = PostgresServer.startFromClassPath(
                    folder().resolve("postgres"),
                    "max_connections=600",
                    "shared_buffers=512MB",
                    "max_wal_size=4GB",
                    "shared_preload_libraries=pg_stat_statements");
        return postgres;
    }

    /**
     * A folder for a program that runs beside Semel, or null to leave it out. Without a wish it takes part if it is
     * installed.
     *
     * @throws Tool.MissingException when it is wanted and not installed
     */
    @Nullable
    Path folderFor(Tool tool, @Nullable Boolean wanted) {
        if (wanted == null) {
            wanted = tool.lookUp().isPresent();
            if (!wanted)
                System.err.println(
                        tool.name() + " is not on the PATH and is left out. To install it: " + tool.remedy());
        } else if (wanted) tool.find();
        return wanted ? folder().resolve(tool.name()) : null;
    }

    static ChildJvm gateway(String store, int port, String upstream) throws IOException {
        return ChildJvm.start(
                JVM,
                Main.class.getName(),
                List.of(
                        "serve",
                        "--accept-lost-keys",
                        "--upstream=" + upstream,
                        "--listen=127.0.0.1:" + port,
                        "--admin=127.0.0.1:0",
                        "--store=" + store));
    }

    @Override
    public void close() throws IOException {
        try (folder) {
            if (postgres != null) postgres.close();
            if (servers != null) servers.close();
        }
    }
}
