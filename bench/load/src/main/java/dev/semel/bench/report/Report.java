package dev.semel.bench.report;

import java.time.Instant;
import java.util.List;

/**
 * All that one run of a benchmark found.
 *
 * @param name of the benchmark, also of the file it is saved in
 * @param title what it measures, in a few words
 * @param command what to type for it
 * @param behind what stands behind the process under test, for the heading of its processor time; empty when nothing is
 * @param notes what a reader must know to judge the figures: who does more, who does less
 */
public record Report(
        String name,
        String title,
        String command,
        Instant at,
        Machine machine,
        String behind,
        List<Series> series,
        List<Ratio> ratios,
        List<Fact> facts,
        List<String> notes) {

    public Report {
        series = List.copyOf(series);
        ratios = List.copyOf(ratios);
        facts = List.copyOf(facts);
        notes = List.copyOf(notes);
    }

    /** With any, the figures are not to be trusted. */
    public long errors() {
        return series.stream().mapToLong(Series::errors).sum();
    }

    public Report withCommand(String command) {
        return new Report(name, title, command, at, machine, behind, series, ratios, facts, notes);
    }
}
