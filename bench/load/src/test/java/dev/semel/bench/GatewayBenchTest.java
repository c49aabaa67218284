package dev.semel.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.bench.GatewayBench.Store;
import dev.semel.bench.report.Ratio;
import dev.semel.bench.report.Report;
import dev.semel.bench.report.Sample;
import dev.semel.bench.report.Series;
import dev.semel.bench.report.TerminalReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class GatewayBenchTest {
    private static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    private static final Duration MOMENT = Duration.ofMillis(100);
    private static final Store ONE = new Store("one", "memory:", 0);
    private static final Store OTHER =
            new Store("other", "jdbc:memory://secret", ProcessHandle.current().pid());

    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

    @AfterEach
    void every_process_is_gone() {
        assertEquals(List.of(), ProcessHandle.current().children().toList());
    }

    @Test
    void every_store_does_every_kind_of_work_in_every_round() throws Exception {
        Report report = run((store, port, upstream) -> child(FakeGateway.class, port), ONE, OTHER);

        assertEquals(0, report.errors(), printed(report));
        assertEquals(6, report.series().size());
        for (Series series : report.series()) {
            assertEquals(2, series.samples().size());
            assertTrue(series.of(Sample::perSecond).min() > 0, series.toString());
        }
        for (Ratio ratio : report.ratios()) assertTrue(ratio.in(report.series()).median() > 0, ratio.toString());
        assertEquals(
                12,
                progress.toString(UTF_8)
                        .lines()
                        .filter(line -> line.startsWith("round "))
                        .count());
        assertTrue(!printed(report).contains("secret"), printed(report));
    }

    @Test
    void a_gateway_that_does_not_replay_makes_errors() throws Exception {
        Report report = run((store, port, upstream) -> child(UpstreamServer.class, port), ONE);
        assertTrue(report.errors() > 0);
        assertTrue(printed(report).contains("not to be trusted"), printed(report));
    }

    @Test
    void a_gateway_that_does_not_start_ends_the_run_with_what_it_printed() {
        GatewayLauncher broken =
                (store, port, upstream) -> ChildJvm.start(QUICK_START, FakeGateway.class.getName(), List.of("x"));
        IOException e = assertThrows(IOException.class, () -> run(broken, ONE));
        assertTrue(e.getMessage().contains("one does not listen"), e.getMessage());
        assertTrue(e.getMessage().contains("ArrayIndexOutOfBounds"), e.getMessage());
    }

    private Report run(GatewayLauncher launcher, Store... stores) throws Exception {
        Rounds.Plan quick = new Rounds.Plan(2, MOMENT, MOMENT, 1);
        GatewayBench.Options options = new GatewayBench.Options(List.of(stores), List.of(4), quick, null);
        return GatewayBench.run(options, launcher, new PrintStream(progress, true, UTF_8));
    }

    private static String printed(Report report) {
        ByteArrayOutputStream table = new ByteArrayOutputStream();
        TerminalReport.print(report, new PrintStream(table, true, UTF_8));
        return table.toString(UTF_8);
    }

    private static ChildJvm child(Class<?> main, int port) throws IOException {
        return ChildJvm.start(QUICK_START, main.getName(), List.of("--port", Integer.toString(port)));
    }
}
