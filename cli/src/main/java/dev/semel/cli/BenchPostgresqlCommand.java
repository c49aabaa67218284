package dev.semel.cli;

import dev.semel.bench.Tool;
import dev.semel.bench.store.PostgresBench;
import dev.semel.testkit.postgres.PostgresServer;
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
        name = "postgresql",
        description =
                "The PostgreSQL store: claim and complete, beside pgbench and plain JDBC with the same statements.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class BenchPostgresqlCommand implements Callable<Integer> {
    @Option(names = "--callers", split = ",", paramLabel = "N", description = "how many at once (default: 64)")
    private List<Integer> callers = List.of(64);

    @Option(names = "--pgbench", negatable = true, description = "pgbench beside it (default: if it is installed)")
    private @Nullable Boolean pgbench;

    @Mixin
    private RoundOptions rounds = new RoundOptions();

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        try (TemporaryFolder folder = TemporaryFolder.create("semel-bench");
                BenchServers servers = new BenchServers(folder.path())) {
            Path pgbenchFolder =
                    BenchServers.wants(Tool.PGBENCH, pgbench) ? folder.path().resolve("pgbench") : null;
            PostgresServer server = servers.postgres();
            PostgresBench.Options options = new PostgresBench.Options(
                    server.jdbcUrl(), server.port(), server.pid(), callers, rounds.plan(), pgbenchFolder);
            return rounds.show(PostgresBench.run(options, System.err), command);
        }
    }
}
