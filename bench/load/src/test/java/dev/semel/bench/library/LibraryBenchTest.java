package dev.semel.bench.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.bench.Rounds;
import dev.semel.bench.library.LibraryBench.Peer;
import dev.semel.bench.report.Ratio;
import dev.semel.bench.report.Report;
import dev.semel.bench.report.Sample;
import dev.semel.testkit.postgres.PostgresServer;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LibraryBenchTest {
    private static final Duration MOMENT = Duration.ofMillis(200);
    /** Many, so that all keys that are replayed are soon in the database. */
    private static final int CALLERS = 32;

    @TempDir
    Path folder;

    @Test
    void all_ways_run_fresh_keys_once_and_replays_never() throws Exception {
        try (PostgresServer server = PostgresServer.startFromClassPath(folder)) {
            // One row each: the others are the same with other numbers, and a process each.
            List<Peer> peers = new ArrayList<>(
                    Peer.ours().stream().filter(it -> it.rows() == 1).toList());
            Peer leased = peers.stream()
                    .filter(it -> it.kind() == LibraryBench.Kind.LEASED)
                    .findFirst()
                    .orElseThrow();
            peers.add(
                    Peer.other("other", leased.classPath(), leased.mainClass()).getFirst());
            Report report = run(server, peers);
            assertEquals(0, report.errors(), report.toString());
            assertEquals(
                    List.of(
                            "bare transaction, fresh keys, 32 callers",
                            "semel joined, fresh keys, 32 callers",
                            "semel transacting, fresh keys, 32 callers",
                            "semel leased, fresh keys, 32 callers",
                            "other, fresh keys, 32 callers",
                            "semel joined, replays, 32 callers",
                            "semel transacting, replays, 32 callers",
                            "semel leased, replays, 32 callers",
                            "other, replays, 32 callers"),
                    report.series().stream()
                            .map(series -> series.scenario().toString())
                            .toList());
            report.series()
                    .forEach(series -> assertTrue(series.of(Sample::perSecond).min() > 0, series.toString()));
            assertEquals(
                    List.of(
                            "fresh keys, semel joined / bare transaction (32)",
                            "fresh keys, semel transacting / bare transaction (32)",
                            "fresh keys, semel joined / other (32)",
                            "fresh keys, semel transacting / other (32)",
                            "fresh keys, semel leased / other (32)",
                            "replays, semel joined / other (32)",
                            "replays, semel transacting / other (32)",
                            "replays, semel leased / other (32)"),
                    report.ratios().stream()
                            .filter(Ratio::hasTarget)
                            .map(Ratio::name)
                            .distinct()
                            .toList());
            report.ratios()
                    .forEach(ratio -> assertTrue(ratio.in(report.series()).median() > 0, ratio.toString()));
        }
    }

    private static Report run(PostgresServer server, List<Peer> peers) throws Exception {
        LibraryBench.Options options = new LibraryBench.Options(
                server.jdbcUrl(), server.pid(), peers, List.of(CALLERS), 4, new Rounds.Plan(1, MOMENT, MOMENT, 1));
        return LibraryBench.run(options, new PrintStream(PrintStream.nullOutputStream()));
    }
}
