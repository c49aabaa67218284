package dev.semel.cli;

import dev.semel.bench.ChildJvm;
import dev.semel.bench.GatewayBench.Store;
import dev.semel.bench.Tool;
import dev.semel.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a benchmark runs against: stores by name, with their servers started when they are needed. */
final class BenchServers implements AutoCloseable {
    private static final List<String> JVM = GatewayJvm.with("-XX:+UseParallelGC", "-Xmx1g");

    private final Path folder;
    private @Nullable PostgresServer postgres;

    BenchServers(Path folder) {
        this.folder = folder;
    }

    /** A new kind of store is one more line here. What is no name is taken as an URL. */
    Store store(String name) {
        return switch (name) {
            case "rocksdb" -> new Store(name, "rocksdb:" + folder.resolve("sync"), 0);
            case "rocksdb-os" -> new Store(name, "rocksdb:" + folder.resolve("os") + "?durability=os", 0);
            case "postgres" -> new Store(name, postgres().jdbcUrl(), postgres().pid());
            case "memory" -> new Store(name, "memory:", 0);
            default -> new Store(kind(name), name, 0);
        };
    }

    private static String kind(String url) {
        String bare = url.startsWith("jdbc:") ? url.substring("jdbc:".length()) : url;
        int end = bare.indexOf(':');
        if (end < 0) throw new UsageProblem("There is no store called " + url + ".");
        return bare.substring(0, end);
    }

    /** As durable as in production, and counting statements. */
    PostgresServer postgres() {
        if (postgres == null)
            postgres = PostgresServer.startFromClassPath(
                    folder.resolve("postgres"),
                    "max_connections=200",
                    "shared_buffers=512MB",
                    "max_wal_size=4GB",
                    "shared_preload_libraries=pg_stat_statements");
        return postgres;
    }

    /**
     * Whether to run with this program: as asked for, else if it is there.
     *
     * @throws Tool.MissingException when it was asked for and is not there
     */
    static boolean wants(Tool tool, @Nullable Boolean asked) {
        if (asked != null) {
            if (asked) tool.find();
            return asked;
        }
        if (tool.lookUp().isPresent()) return true;
        System.err.println(tool.name() + " is not on the PATH and is left out. To install it: " + tool.remedy());
        return false;
    }

    static ChildJvm gateway(String store, int port, String upstream) throws IOException {
        return ChildJvm.start(
                JVM,
                Main.class.getName(),
                List.of(
                        "serve",
                        "--accept-lost-keys",
                        "--upstream",
                        upstream,
                        "--listen",
                        "127.0.0.1:" + port,
                        "--admin",
                        "127.0.0.1:0",
                        "--store",
                        store));
    }

    @Override
    public void close() {
        if (postgres != null) postgres.close();
    }
}
