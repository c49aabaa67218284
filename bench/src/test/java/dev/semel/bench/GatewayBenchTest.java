package dev.semel.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    private static final GatewayBench.Options QUICK =
            new GatewayBench.Options(List.of("memory:", "jdbc:memory://secret"), List.of(4), 1, MOMENT, MOMENT);

    private final ByteArrayOutputStream table = new ByteArrayOutputStream();
    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

    @AfterEach
    void every_process_is_gone() {
        assertEquals(List.of(), ProcessHandle.current().children().toList());
    }

    @Test
    void it_prints_a_line_for_each_store_and_workload() throws Exception {
        long errors = run((store, port, upstream) -> child(FakeGateway.class, port), "memory:", "jdbc:memory://secret");

        String printed = table.toString(UTF_8);
        assertEquals(0, errors, printed);
        for (String store : List.of("memory  ", "memory-2"))
            for (Workload workload : Workload.values())
                assertEquals(1, count(printed, store + "        4  " + workload), printed);
        assertEquals(0, count(printed, "secret"), printed);
        assertEquals(2, count(printed, "pass-through.*  1.00  0"), printed);
        assertEquals(
                6,
                progress.toString(UTF_8)
                        .lines()
                        .filter(line -> line.startsWith("round 1 of 1"))
                        .count());
    }

    @Test
    void a_gateway_that_does_not_replay_makes_errors() throws Exception {
        long errors = run((store, port, upstream) -> child(UpstreamServer.class, port), "memory:");
        assertTrue(errors > 0);
        assertTrue(table.toString(UTF_8).contains("not to be trusted"), table.toString(UTF_8));
    }

    @Test
    void a_gateway_that_does_not_start_ends_the_run() {
        GatewayLauncher broken =
                (store, port, upstream) -> ChildJvm.start(QUICK_START, FakeGateway.class.getName(), List.of("x"));
        IOException e = assertThrows(IOException.class, () -> run(broken, "memory:"));
        assertTrue(e.getMessage().contains("memory does not listen"), e.getMessage());
    }

    private long run(GatewayLauncher launcher, String... stores) throws Exception {
        GatewayBench.Options quick = new GatewayBench.Options(List.of(stores), List.of(4), 1, MOMENT, MOMENT);
        return GatewayBench.run(
                quick, launcher, new PrintStream(table, true, UTF_8), new PrintStream(progress, true, UTF_8));
    }

    private static ChildJvm child(Class<?> main, int port) throws IOException {
        return ChildJvm.start(QUICK_START, main.getName(), List.of("--port", Integer.toString(port)));
    }

    private static long count(String text, String pattern) {
        return text.lines().filter(line -> line.matches(".*" + pattern + ".*")).count();
    }
}
