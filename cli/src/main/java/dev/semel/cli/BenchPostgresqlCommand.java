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
import picocli.CommandLine.Option;

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

    @Override
    public Integer call() throws Exception {
        return rounds.run((plan, environment) -> {
            Path pgbenchFolder = environment.folderFor(Tool.PGBENCH, pgbench);
            PostgresServer server = environment.postgres();
            PostgresBench.Options options = new PostgresBench.Options(
                    server.jdbcUrl(), server.port(), server.pid(), callers, plan, pgbenchFolder);
            return PostgresBench.run(options, System.err);
        });
    }
}
