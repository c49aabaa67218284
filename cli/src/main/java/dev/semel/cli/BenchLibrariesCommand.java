package dev.semel.cli;

import dev.semel.bench.library.LibraryBench;
import dev.semel.bench.library.LibraryBench.Peer;
import dev.semel.testkit.postgres.PostgresServer;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "libraries",
        description = "One idempotent operation per key from Java, beside other libraries on the same PostgreSQL.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class BenchLibrariesCommand implements Callable<Integer> {
    private static final String DBOS_MAIN = "dev.semel.bench.peers.dbos.DbosPeer";

    @Option(names = "--callers", paramLabel = "N", description = "how many threads (default: 64)")
    private int callers = 64;

    @Option(
            names = "--peer-connections",
            paramLabel = "N",
            description = "connections of each peer's pool (default: 32)")
    private int connections = 32;

    @Mixin
    private RoundOptions rounds = new RoundOptions();

    @Override
    public Integer call() throws Exception {
        return rounds.run((plan, environment) -> {
            Peer dbos = new Peer("dbos", SourceTree.classPath("bench/peers/dbos"), DBOS_MAIN);
            PostgresServer server = environment.postgres();
            LibraryBench.Options options = new LibraryBench.Options(
                    server.jdbcUrl(), server.pid(), List.of(Peer.semel(), dbos), callers, connections, plan);
            return LibraryBench.run(options, System.err);
        });
    }
}
