package dev.semel.bench.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.bench.Rounds;
import dev.semel.bench.library.LibraryBench.Peer;
import dev.semel.bench.report.Report;
import dev.semel.bench.report.Sample;
import dev.semel.testkit.postgres.PostgresServer;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
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
    void a_library_runs_fresh_keys_once_and_replays_never() throws Exception {
        try (PostgresServer server = PostgresServer.startFromClassPath(folder)) {
            Peer same = Peer.semel();
            List<Peer> peers = List.of(same, new Peer("other", same.classPath(), same.mainClass()));
            LibraryBench.Options options = new LibraryBench.Options(
                    server.jdbcUrl(), server.pid(), peers, CALLERS, 4, new Rounds.Plan(1, MOMENT, MOMENT, 1));
            Report report = LibraryBench.run(options, new PrintStream(PrintStream.nullOutputStream()));
            assertEquals(0, report.errors(), report.toString());
            assertEquals(4, report.series().size());
            report.series()
                    .forEach(series -> assertTrue(series.of(Sample::perSecond).min() > 0, series.toString()));
        }
    }
}
