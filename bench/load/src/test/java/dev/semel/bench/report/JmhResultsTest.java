package dev.semel.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JmhResultsTest {
    @TempDir
    Path folder;

    @Test
    void time_and_allocations_are_read() throws Exception {
        Path file = Files.writeString(folder.resolve("jmh.json"), """
            [{"benchmark": "dev.semel.http.Some.keyHeader",
              "primaryMetric": {"score": 12.5, "scoreUnit": "ns/op"},
              "secondaryMetrics": {"gc.alloc.rate": {"score": 1}, "gc.alloc.rate.norm": {"score": 96.0}}}]
            """);
        assertEquals(
                List.of(new Fact("keyHeader", 12.5, "ns/op"), new Fact("keyHeader, allocated", 96, "B/op")),
                JmhResults.read(file));
    }
}
