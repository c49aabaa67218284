package dev.semel.bench.report;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** A report as a section of a Markdown page. */
public final class MarkdownReport {
    private final StringBuilder text = new StringBuilder();

    private MarkdownReport() {}

    public static String of(Report report) {
        MarkdownReport markdown = new MarkdownReport();
        markdown.text.append("### ").append(report.title()).append("\n\n");
        markdown.origin(report);
        markdown.ratios(report);
        markdown.lines(report);
        markdown.facts(report);
        for (String note : report.notes())
            markdown.text.append("- ").append(note).append('\n');
        return markdown.text.append('\n').toString();
    }

    private void origin(Report report) {
        Machine machine = report.machine();
        text.append("`").append(report.command()).append("` on ");
        text.append(report.at().atOffset(ZoneOffset.UTC).toLocalDate());
        text.append(", ")
                .append(machine.processors())
                .append(" processors, load ")
                .append(FigureFormat.of(machine.load()));
        text.append(" before, JDK ")
                .append(machine.jdk())
                .append(", ")
                .append(machine.system())
                .append(".\n\n");
        if (report.errors() > 0) text.append("**There were errors: these figures are not to be trusted.**\n\n");
    }

    private void ratios(Report report) {
        if (report.ratios().isEmpty()) return;
        head("ratio", "of", "median", "min-max", "target", "");
        for (Ratio ratio : report.ratios()) {
            Spread spread = ratio.in(report.series());
            String verdict = !ratio.hasTarget() ? "" : ratio.isMetBy(spread.median()) ? "met" : "**missed**";
            row(List.of(
                    ratio.name(),
                    ratio.figure().toString(),
                    FigureFormat.times(spread.median()),
                    FigureFormat.range(spread),
                    FigureFormat.target(ratio),
                    verdict));
        }
        text.append('\n');
    }

    private void lines(Report report) {
        if (report.series().isEmpty()) return;
        boolean behind = !report.behind().isEmpty();
        List<String> head =
                new ArrayList<>(List.of("subject", "callers", "work", "ops/s", "p50 ms", "p99 ms", "CPU µs/op"));
        if (behind) head.add(report.behind() + " µs/op");
        head(head.toArray(String[]::new));
        for (Series series : report.series()) {
            Spread rate = series.of(Sample::perSecond);
            List<String> row = new ArrayList<>(List.of(
                    series.scenario().subject(),
                    Integer.toString(series.scenario().callers()),
                    series.scenario().work(),
                    FigureFormat.of(rate.median()) + " " + FigureFormat.range(rate),
                    FigureFormat.of(series.of(Sample::p50Millis).median()),
                    FigureFormat.of(series.of(Sample::p99Millis).median()),
                    FigureFormat.of(series.of(Sample::cpuMicros).median())));
            if (behind) row.add(FigureFormat.of(series.of(Sample::behindMicros).median()));
            row(row);
        }
        text.append('\n');
    }

    private void facts(Report report) {
        if (report.facts().isEmpty()) return;
        head("what", "figure", "unit");
        for (Fact fact : report.facts()) row(List.of(fact.name(), FigureFormat.of(fact.value()), fact.unit()));
        text.append('\n');
    }

    private void head(String... cells) {
        row(List.of(cells));
        text.append("|---".repeat(cells.length)).append("|\n");
    }

    private void row(List<String> cells) {
        text.append("| ");
        text.append(String.join(
                " | ", cells.stream().map(cell -> cell.replace("|", "\\|")).toList()));
        text.append(" |\n");
    }
}
