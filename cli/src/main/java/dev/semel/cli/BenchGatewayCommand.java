package dev.semel.cli;

import dev.semel.bench.ChildJvm;
import dev.semel.bench.GatewayBench;
import dev.semel.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "gateway",
        description = "The gateway: pass-through, fresh keys and replays, side by side, as one table.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Every process runs on this machine, so compare ratios and CPU per request rather than requests per second."
        })
final class BenchGatewayCommand implements Callable<Integer> {
    private static final List<String> JVM =
            List.of("-XX:+UseParallelGC", "-Xmx1g", "--enable-native-access=ALL-UNNAMED");

    @Option(
            names = "--stores",
            split = ",",
            paramLabel = "NAME",
            description = "rocksdb, rocksdb-os, postgres, memory (default: rocksdb,postgres)")
    private List<String> stores = List.of("rocksdb", "postgres");

    @Option(
            names = "--connections",
            split = ",",
            paramLabel = "N",
            description = "how many clients at once (default: 64,256)")
    private List<Integer> connections = List.of(64, 256);

    @Option(names = "--rounds", paramLabel = "N", description = "interleaved rounds of everything (default: 4)")
    private int rounds = 4;

    @Option(names = "--seconds", paramLabel = "N", description = "length of one measurement (default: 2)")
    private int seconds = 2;

    @Option(names = "--warm-up", paramLabel = "N", description = "seconds of each kind of traffic before (default: 5)")
    private int warmUp = 5;

    @Override
    public Integer call() throws Exception {
        try (TemporaryFolder folder = TemporaryFolder.create("semel-bench");
                Databases databases = new Databases(folder.path())) {
            List<String> urls = new ArrayList<>();
            for (String store : stores) urls.add(url(store, folder.path(), databases));
            GatewayBench.Options options = new GatewayBench.Options(
                    urls, connections, rounds, Duration.ofSeconds(seconds), Duration.ofSeconds(warmUp));
            long errors = GatewayBench.run(options, BenchGatewayCommand::launch, System.out, System.err);
            return errors == 0 ? 0 : 1;
        }
    }

    private static String url(String store, Path folder, Databases databases) {
        return switch (store) {
            case "rocksdb" -> "rocksdb:" + folder.resolve("sync");
            case "rocksdb-os" -> "rocksdb:" + folder.resolve("os") + "?durability=os";
            case "postgres" -> databases.postgres();
            case "memory" -> "memory:";
            default -> store;
        };
    }

    private static ChildJvm launch(String store, int port, String upstream) throws IOException {
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

    /** The servers that a run needs, started when they are. */
    private static final class Databases implements AutoCloseable {
        private final Path folder;
        private @Nullable PostgresServer postgres;

        Databases(Path folder) {
            this.folder = folder;
        }

        String postgres() {
            if (postgres == null) postgres = PostgresServer.startFromClassPath(folder.resolve("postgres"));
            return postgres.jdbcUrl();
        }

        @Override
        public void close() {
            if (postgres != null) postgres.close();
        }
    }
}
