package dev.semel.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportFileTest {
    private static final Scenario A = new Scenario("a \"quoted\" | name", "work", 64);
    private static final Scenario B = new Scenario("b", "work", 64);

    @TempDir
    Path folder;

    @Test
    void a_report_is_read_back_as_it_was_saved() throws Exception {
        Report report = report();
        ReportFile.save(report, folder.resolve("deep"));
        assertEquals(List.of(report), ReportFile.readAll(folder.resolve("deep")));
    }

    @Test
    void a_ratio_is_the_median_of_the_rounds_and_not_the_ratio_of_medians() {
        Ratio ratio = report().ratios().getFirst();
        assertEquals(new Spread(2, 1, 10), ratio.in(report().series()));
        assertTrue(ratio.isMetBy(2));
        assertFalse(ratio.isMetBy(1.4));
        assertTrue(ratio.of(Ratio.Figure.P99).isMetBy(1.4));
    }

    @Test
    void markdown_holds_every_ratio_line_and_fact() {
        String markdown = MarkdownReport.of(report());
        assertTrue(markdown.contains("| a/b | operations/s | 2.00x | (1.00-10.0) | at least 1.50x | met |"), markdown);
        assertTrue(markdown.contains("a \"quoted\" \\| name"), markdown);
        assertTrue(markdown.contains("| bytes per key | 136 | B |"), markdown);
        assertTrue(markdown.contains("- a note"), markdown);
    }

    @Test
    void another_file_is_refused_by_name() throws Exception {
        Path file = Files.writeString(folder.resolve("x.json"), "{\"name\": 1}");
        IOException e = assertThrows(IOException.class, () -> ReportFile.read(file));
        assertTrue(e.getMessage().contains("x.json"), e.getMessage());
    }

    static Report report() {
        return new Report(
                "sample",
                "A sample",
                "./semel bench sample",
                Instant.parse("2026-01-01T00:00:00Z"),
                new Machine(2, 0.5, "25", "Linux"),
                "database",
                List.of(new Series(A, samples(100, 20, 50)), new Series(B, samples(50, 20, 5))),
                List.of(Ratio.ofRates("a/b", A, B).withTarget(1.5), Ratio.ofRates("b/a", B, A)),
                List.of(new Fact("bytes per key", 136, "B")),
                List.of("a note"));
    }

    private static List<Sample> samples(double... rates) {
        return Arrays.stream(rates)
                .mapToObj(rate -> new Sample(rate, 1, 2, 3, Double.NaN, 0, ""))
                .toList();
    }
}
