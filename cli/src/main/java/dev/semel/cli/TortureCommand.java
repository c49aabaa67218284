package dev.semel.cli;

import dev.semel.bench.ChildJvm;
import dev.semel.torture.fuzz.HttpFuzz;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "torture",
        description = "Does to a gateway what nobody should, and checks that nothing gives.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class TortureCommand implements Callable<Integer> {
    private static final List<String> JVM =
            List.of("-XX:+UseParallelGC", "-Xmx512m", "--enable-native-access=ALL-UNNAMED");

    @Option(names = "--fuzz-http", description = "send requests that are nearly HTTP, over many connections at once")
    private boolean fuzzHttp;

    @Option(names = "--requests", paramLabel = "N", description = "how many (default: 100000)")
    private int requests = 100_000;

    @Option(names = "--seed", paramLabel = "N", description = "the same bytes again (default: fresh, and printed)")
    private @Nullable Long seed;

    @Option(names = "--connections", paramLabel = "N", description = "how many clients at once (default: 128)")
    private int connections = 128;

    @Option(
            names = "--store",
            paramLabel = "URL",
            description = "the gateway's store (default: RocksDB in a new folder)")
    private @Nullable String store;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "where offending requests are written (default: torture-report)")
    private Path report = Path.of("torture-report");

    @Override
    public Integer call() throws Exception {
        if (!fuzzHttp) throw new UsageProblem("Only --fuzz-http is available in this version.");
        if (requests < 1 || connections < 1) throw new UsageProblem("--requests and --connections start at 1.");
        try (TemporaryFolder folder = TemporaryFolder.create("semel-torture")) {
            String url = store == null ? "rocksdb:" + folder.path().resolve("keys") : store;
            long luck = seed == null ? ThreadLocalRandom.current().nextLong() : seed;
            HttpFuzz.Options options = new HttpFuzz.Options(requests, luck, connections, url, report);
            return HttpFuzz.run(options, TortureCommand::launch, System.out) == 0 ? 0 : 1;
        }
    }

    static ChildJvm launch(Path config) throws IOException {
        return ChildJvm.start(
                JVM, Main.class.getName(), List.of("serve", "--accept-lost-keys", "--config", config.toString()));
    }
}
