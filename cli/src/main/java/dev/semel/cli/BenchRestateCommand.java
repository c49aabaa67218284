package dev.semel.cli;

import dev.semel.bench.RestateBench;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "restate",
        description = "The gateway beside Restate 1.7: fresh keys and replays, one trivial operation behind both.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {"", "Restate is not part of Semel: scripts/restate.sh installs it into a cache folder."})
final class BenchRestateCommand implements Callable<Integer> {
    private static final String CACHED = "semel/restate-1.7.12";

    @Option(
            names = "--restate",
            paramLabel = "DIR",
            description = "where scripts/restate.sh installed it (default: where it does by itself)")
    private @Nullable Path home;

    @Option(
            names = "--connections",
            split = ",",
            paramLabel = "N",
            description = "how many clients at once (default: 64,256)")
    private List<Integer> connections = List.of(64, 256);

    @Mixin
    private RoundOptions rounds = new RoundOptions();

    @Override
    public Integer call() throws Exception {
        return rounds.run((plan, environment) -> {
            Path installed = home == null ? cached() : home;
            RestateBench.Options options = new RestateBench.Options(installed, environment.folder(), connections, plan);
            return RestateBench.run(options, BenchEnvironment::gateway, System.err);
        });
    }

    private static Path cached() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path caches =
                cache == null || cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        return caches.resolve(CACHED);
    }
}
