package dev.semel.bench.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.bench.Rounds;
import dev.semel.bench.outbox.OutboxBench.Part;
import dev.semel.bench.outbox.OutboxBench.Peer;
import dev.semel.bench.report.Fact;
import dev.semel.bench.report.Report;
import dev.semel.bench.report.Sample;
import dev.semel.testkit.kafka.KafkaServer;
import dev.semel.testkit.postgres.PostgresServer;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OutboxBenchTest {
    private static final Duration MOMENT = Duration.ofSeconds(1);

    @TempDir
    Path folder;

    @Test
    void every_part_measures_messages_and_finds_them_in_kafka() throws Exception {
        try (KafkaServer kafka = KafkaServer.launch(folder.resolve("kafka"));
                PostgresServer postgres =
                        PostgresServer.startFromClassPath(folder.resolve("postgres"), "max_connections=300")) {
            kafka.awaitConnections();
            Peer ours = Peer.ours();
            Report report = OutboxBench.run(
                    new OutboxBench.Options(
                            new OutboxServers(postgres::jdbcUrl, postgres.pid(), kafka.bootstrap(), kafka.pid()),
                            List.of(new Peer("other", ours.classPath(), ours.mainClass())),
                            EnumSet.complementOf(EnumSet.of(Part.BLOCKED)),
                            2,
                            List.of(10),
                            500,
                            MOMENT,
                            new Rounds.Plan(1, MOMENT, MOMENT, 1)),
                    new PrintStream(PrintStream.nullOutputStream()));
            assertEquals(0, report.errors(), report.toString());
            assertEquals(
                    List.of(
                            "semel, 10 a transaction, 2 callers",
                            "semel, 500 a second, 10 a transaction, 2 callers",
                            "other, 10 a transaction, 2 callers",
                            "semel, append alone, 10 a transaction, 2 callers",
                            "semel, inbox, 1 ids a transaction, 2 callers",
                            "semel, inbox, 500 ids a transaction, 2 callers"),
                    report.series().stream()
                            .map(series -> series.scenario().toString())
                            .toList());
            // A moment is too short for a relay that has just begun: what it sends arrives behind it, and is found in
            // Kafka.
            report.series().stream()
                    .filter(series -> series.scenario().toString().matches("semel, (append|inbox).*"))
                    .forEach(series -> assertTrue(series.of(Sample::perSecond).min() > 0, series.toString()));
            assertTrue(report.facts().stream()
                    .filter(it -> it.name().startsWith("WAL"))
                    .allMatch(it -> it.value() > 100));
            assertEquals(
                    List.of(0.0, 0.0),
                    report.facts().stream()
                            .filter(it -> it.name().contains("more than once"))
                            .map(Fact::value)
                            .toList());
        }
    }
}
