package dev.semel.cli;

import dev.semel.bench.outbox.OutboxBench;
import dev.semel.bench.outbox.OutboxBench.Part;
import dev.semel.bench.outbox.OutboxBench.Peer;
import dev.semel.bench.outbox.OutboxServers;
import dev.semel.testkit.kafka.KafkaServer;
import dev.semel.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "outbox",
        description =
                "Messages from their commit to Kafka's word, through Semel and through other outboxes; appending, the"
                        + " inbox, and a relay behind long transactions.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {"", "PostgreSQL, Kafka, writers and relay share this machine."})
final class BenchOutboxCommand implements Callable<Integer> {
    @Option(names = "--only", split = ",", paramLabel = "PART", description = "${COMPLETION-CANDIDATES} (default: all)")
    private Set<Part> parts = EnumSet.allOf(Part.class);

    @Option(names = "--peers", negatable = true, description = "other outboxes beside it (default: yes)")
    private boolean peers = true;

    @Option(names = "--writers", paramLabel = "N", description = "how many threads append (default: 8)")
    private int writers = 8;

    @Option(
            names = "--batch",
            split = ",",
            paramLabel = "N",
            description = "messages in a transaction, in turns (default: 1,10,100)")
    private List<Integer> batches = List.of(1, 10, 100);

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "messages a second at which latency is measured (default: 5000)")
    private int rate = 5_000;

    @Option(
            names = "--blocked-seconds",
            paramLabel = "N",
            description = "length of a measurement with a long transaction (default: 12)")
    private double blocked = 12;

    @Mixin
    private RoundOptions rounds = new RoundOptions();

    @Override
    public Integer call() throws Exception {
        if (writers < 1 || rate < 1 || batches.stream().anyMatch(it -> it < 1 || it > 1_000))
            throw new UsageProblem("--writers and --rate start at 1, --batch is between 1 and 1000.");
        return rounds.run((plan, environment) -> {
            try (KafkaServer kafka = KafkaServer.launch(environment.folder().resolve("kafka"))) {
                PostgresServer postgres = environment.postgres();
                kafka.awaitConnections();
                OutboxServers servers =
                        new OutboxServers(postgres::jdbcUrl, postgres.pid(), kafka.bootstrap(), kafka.pid());
                OutboxBench.Options options = new OutboxBench.Options(
                        servers,
                        peers && parts.contains(Part.RELAY) ? others() : List.of(),
                        parts,
                        writers,
                        batches,
                        rate,
                        RoundOptions.duration(blocked),
                        plan);
                return OutboxBench.run(options, System.err);
            }
        });
    }

    private static List<Peer> others() throws IOException {
        return List.of(
                new Peer(
                        "gruelbox",
                        SourceTree.classPath("bench/peers/gruelbox"),
                        "dev.semel.bench.peers.gruelbox.GruelboxPeer"),
                new Peer(
                        "namastack",
                        SourceTree.classPath("bench/peers/namastack"),
                        "dev.semel.bench.peers.namastack.NamastackPeer"));
    }
}
