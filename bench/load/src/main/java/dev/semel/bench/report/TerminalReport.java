package dev.semel.bench.report;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** A report as text of fixed width. */
public final class TerminalReport {
    private final PrintStream out;

    private TerminalReport(PrintStream out) {
        this.out = out;
    }

    public static void print(Report report, PrintStream out) {
        TerminalReport terminal = new TerminalReport(out);
        terminal.lines(report);
        terminal.ratios(report);
        terminal.facts(report);
        terminal.remarks(report);
    }

    private void lines(Report report) {
        if (report.series().isEmpty()) return;
        boolean behind = !report.behind().isEmpty();
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(
                List.of("subject", "callers", "work", "ops/s", "(min-max)", "p50 ms", "p99 ms", "CPU us/op"));
        if (behind) head.add(report.behind() + " us/op");
        head.add("errors");
        rows.add(head);
        for (Series series : report.series()) rows.add(row(series, behind));
        print(rows);
        out.println();
        for (Series each : report.series())
            if (each.errors() > 0) out.println("First error of " + each.scenario() + ": " + each.firstError());
        out.println("ops/s, p50, p99 and CPU are medians of the rounds; CPU is that of the process under test.");
    }

    private static List<String> row(Series series, boolean behind) {
        Spread rate = series.of(Sample::perSecond);
        List<String> row = new ArrayList<>(List.of(
                series.scenario().subject(),
                Integer.toString(series.scenario().callers()),
                series.scenario().work(),
                FigureFormat.of(rate.median()),
                FigureFormat.range(rate),
                FigureFormat.of(series.of(Sample::p50Millis).median()),
                FigureFormat.of(series.of(Sample::p99Millis).median()),
                FigureFormat.of(series.of(Sample::cpuMicros).median())));
        if (behind) row.add(FigureFormat.of(series.of(Sample::behindMicros).median()));
        row.add(Long.toString(series.errors()));
        return row;
    }

    private void ratios(Report report) {
        if (report.ratios().isEmpty()) return;
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("ratio", "of", "median", "(min-max)", "target", ""));
        for (Ratio ratio : report.ratios()) {
            Spread spread = ratio.in(report.series());
            String verdict = !ratio.hasTarget() ? "" : ratio.isMetBy(spread.median()) ? "met" : "MISSED";
            rows.add(List.of(
                    ratio.name(),
                    ratio.figure().toString(),
                    FigureFormat.times(spread.median()),
                    FigureFormat.range(spread),
                    FigureFormat.target(ratio),
                    verdict));
        }
        out.println();
        print(rows);
    }

    private void facts(Report report) {
        if (report.facts().isEmpty()) return;
        out.println();
        print(report.facts().stream()
                .map(fact -> List.of(fact.name(), FigureFormat.of(fact.value()), fact.unit()))
                .toList());
    }

    private void remarks(Report report) {
        out.println();
        for (String note : report.notes()) out.println(note);
        Machine machine = report.machine();
        out.println(machine.processors() + " processors for everything (load " + FigureFormat.of(machine.load())
                + " before); JDK " + machine.jdk() + "; " + machine.system() + ".");
        if (report.errors() > 0) out.println("THERE WERE ERRORS: these numbers are not to be trusted.");
    }

    /** Columns as wide as they need to be; numbers to the right, words to the left. */
    private void print(List<List<String>> rows) {
        int columns = rows.getFirst().size();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++)
                line.append(cell(rows, row.get(i), i)).append("  ");
            out.println(line.toString().stripTrailing());
        }
    }

    private static String cell(List<List<String>> rows, String text, int column) {
        int width =
                rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
        String room = " ".repeat(width - text.length());
        boolean number = rows.getLast().get(column).matches("[-0-9.,]+x?");
        return number ? room + text : text + room;
    }
}
