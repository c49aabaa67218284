package dev.semel.cli;

import dev.semel.bench.GatewayBench;
import dev.semel.bench.GatewayBench.Store;
import dev.semel.bench.Tool;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "gateway",
        description = "The gateway: pass-through, fresh keys and replays, side by side and beside nginx.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Every process runs on this machine, so compare ratios and CPU per request rather than requests per second."
        })
final class BenchGatewayCommand implements Callable<Integer> {
    @Option(
            names = "--stores",
            split = ",",
            paramLabel = "NAME",
            description = "rocksdb, rocksdb-os, postgres, mariadb, redis, dynamodb, cassandra, memory, or a URL"
                    + " (default: rocksdb,rocksdb-os,postgres)")
    private List<String> stores = List.of("rocksdb", "rocksdb-os", "postgres");

    @Option(
            names = "--connections",
            split = ",",
            paramLabel = "N",
            description = "how many clients at once (default: 64,256)")
    private List<Integer> connections = List.of(64, 256);

    @Option(
            names = "--nginx",
            negatable = true,
            description = "nginx as a reverse proxy beside them (default: if it is installed)")
    private @Nullable Boolean nginx;

    @Mixin
    private RoundOptions rounds = new RoundOptions();

    @Override
    public Integer call() throws Exception {
        return rounds.run((plan, environment) -> {
            Path nginxFolder = environment.folderFor(Tool.NGINX, nginx);
            List<Store> started = stores.stream().map(environment::store).toList();
            GatewayBench.Options options = new GatewayBench.Options(started, connections, plan, nginxFolder);
            return GatewayBench.run(options, BenchEnvironment::gateway, System.err);
        });
    }
}
