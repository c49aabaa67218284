package dev.semel.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ProcessCpuTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration MUCH = Duration.ofMillis(100);
    private static final String BUSY = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";

    @Test
    void children_count_whether_they_live_or_were_waited_for() throws Exception {
        String waitedFor = "sh -c '" + BUSY + "'; echo done; read line";
        String living = "(" + BUSY + "; echo done; sleep 60) & read line";
        for (String script : List.of(waitedFor, living)) {
            try (ChildProcess shell = ChildProcess.start(List.of("sh", "-c", script), Path.of("."), Map.of())) {
                shell.awaitLine("done", SOON);
                Duration used = shell.cpuTime();
                assertTrue(used.compareTo(MUCH) > 0, script + ": " + used);
            }
        }
    }

    @Test
    void a_process_that_is_gone_has_used_nothing() {
        assertTrue(ProcessCpu.of(Long.MAX_VALUE).isZero());
    }
}
