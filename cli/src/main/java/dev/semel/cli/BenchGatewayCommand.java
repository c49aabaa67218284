package dev.semel.cli;

import dev.semel.bench.GatewayBench;
import dev.semel.bench.Tool;
import dev.semel.bench.report.Report;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
            description = "rocksdb, rocksdb-os, postgres, memory, or an URL (default: rocksdb,rocksdb-os,postgres)")
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

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        try (TemporaryFolder folder = TemporaryFolder.create("semel-bench");
                BenchServers servers = new BenchServers(folder.path())) {
            Path nginxFolder =
                    BenchServers.wants(Tool.NGINX, nginx) ? folder.path().resolve("nginx") : null;
            GatewayBench.Options options = new GatewayBench.Options(
                    stores.stream().map(servers::store).toList(), connections, rounds.plan(), nginxFolder);
            Report report = GatewayBench.run(options, BenchServers::gateway, System.err);
            return rounds.show(report, command);
        }
    }
}
