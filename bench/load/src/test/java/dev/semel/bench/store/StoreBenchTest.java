package dev.semel.bench.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.bench.BenchProcesses;
import dev.semel.bench.Rounds;
import dev.semel.bench.report.Fact;
import dev.semel.bench.report.Report;
import dev.semel.bench.report.Sample;
import dev.semel.bench.report.Series;
import dev.semel.testkit.postgres.PostgresServer;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoreBenchTest {
    private static final Duration MOMENT = Duration.ofMillis(700);
    private static final Rounds.Plan QUICK = new Rounds.Plan(1, MOMENT, Duration.ofMillis(300), 1);
    /** Growth has many lines, and nobody reads its figures here. */
    private static final Rounds.Plan QUICKEST = new Rounds.Plan(1, Duration.ofMillis(150), Duration.ofMillis(100), 1);

    private static final PrintStream SILENCE = new PrintStream(PrintStream.nullOutputStream());

    @TempDir
    Path folder;

    @Test
    void the_postgresql_store_is_measured_beside_bare_statements() throws Exception {
        try (PostgresServer server = PostgresServer.startFromClassPath(
                folder.resolve("postgres"), "shared_preload_libraries=pg_stat_statements")) {
            PostgresBench.Options options =
                    new PostgresBench.Options(server.jdbcUrl(), server.port(), server.pid(), List.of(4), QUICK, null);
            Report report = PostgresBench.run(options, SILENCE);
            complete(report, 2);
            for (Fact fact : report.facts()) assertTrue(fact.value() > 0.1 && fact.value() < 10, fact.toString());
        }
    }

    @Test
    void growth_is_measured_from_size_to_size_and_ends_with_a_purge() throws Exception {
        GrowthBench.Options options = new GrowthBench.Options(List.of(500L, 1_000L), folder, 4, QUICKEST, MOMENT);
        Report report = GrowthBench.run(options, BenchProcesses::fakeGateway, SILENCE);
        complete(report, 2 * 4 + 2 * 2 + 2);
        assertTrue(fact(report, "disk, 1k keys") > 10);
        assertTrue(fact(report, "purge without pauses, removed") > 0);
    }

    @Test
    void growth_beyond_the_disk_is_refused_before_it_begins() {
        GrowthBench.Options options = new GrowthBench.Options(List.of(1_000_000_000_000L), folder, 4, QUICK, MOMENT);
        Exception e = assertThrows(
                IllegalStateException.class, () -> GrowthBench.run(options, BenchProcesses::fakeGateway, SILENCE));
        assertTrue(e.getMessage().contains("GB"), e.getMessage());
    }

    private static double fact(Report report, String name) {
        return report.facts().stream()
                .filter(fact -> fact.name().equals(name))
                .findFirst()
                .orElseThrow()
                .value();
    }

    private static void complete(Report report, int lines) {
        assertEquals(0, report.errors(), report.toString());
        assertEquals(lines, report.series().size(), report.toString());
        for (Series series : report.series()) {
            assertEquals(QUICK.rounds(), series.samples().size());
            assertTrue(series.of(Sample::perSecond).min() > 0, series.toString());
        }
        report.ratios().forEach(ratio -> assertTrue(ratio.in(report.series()).median() > 0, ratio.toString()));
    }
}
