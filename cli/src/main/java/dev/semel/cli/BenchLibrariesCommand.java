package dev.semel.cli;

import dev.semel.bench.library.LibraryBench;
import dev.semel.bench.library.LibraryBench.Peer;
import dev.semel.testkit.postgres.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "libraries",
        description =
                "One operation per key from Java on one PostgreSQL: bare, with Semel in the same transaction or with a"
                        + " lease, and with other libraries.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class BenchLibrariesCommand implements Callable<Integer> {
    private static final String DBOS_MAIN = "dev.semel.bench.peers.dbos.DbosPeer";

    @Option(
            names = "--callers",
            paramLabel = "N",
            split = ",",
            description = "how many threads, in turns (default: 1,16,64)")
    private List<Integer> callers = List.of(1, 16, 64);

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "connections in the pool of each library (default: 32)")
    private int connections = 32;

    @Mixin
    private RoundOptions rounds = new RoundOptions();

    @Override
    public Integer call() throws Exception {
        return rounds.run((plan, environment) -> {
            List<Peer> peers = new ArrayList<>(Peer.ours());
            peers.addAll(Peer.other("dbos", SourceTree.classPath("bench/peers/dbos"), DBOS_MAIN));
            PostgresServer server = environment.postgres();
            LibraryBench.Options options =
                    new LibraryBench.Options(server.jdbcUrl(), server.pid(), peers, callers, connections, plan);
            return LibraryBench.run(options, System.err);
        });
    }
}
