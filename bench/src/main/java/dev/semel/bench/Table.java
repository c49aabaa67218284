package dev.semel.bench;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** All measurements of a run, and how they are printed: a line for each store, number of connections and workload. */
final class Table {
    private record Line(int connections, Gateway gateway, Workload workload) {}

    private final Map<Line, Series> lines = new LinkedHashMap<>();
    private final double loadBefore;

    /** The load average before the run tells how far the machine was shared with others. */
    Table(List<Integer> connections, List<Gateway> gateways, double loadBefore) {
        this.loadBefore = loadBefore;
        for (int count : connections) {
            for (Gateway gateway : gateways) {
                for (Workload workload : Workload.values()) lines.put(new Line(count, gateway, workload), new Series());
            }
        }
    }

    void add(int connections, Gateway gateway, Workload workload, Sample sample) {
        series(new Line(connections, gateway, workload)).add(sample);
    }

    private Series series(Line line) {
        Series series = lines.get(line);
        if (series == null) throw new IllegalStateException("Not in the table: " + line);
        return series;
    }

    long errors() {
        return lines.values().stream().mapToLong(Series::errors).sum();
    }

    void print(PrintStream out) {
        out.printf(
                Locale.ROOT,
                "%-11s %5s  %-12s  %10s %-17s  %7s  %7s  %10s  %6s  %s%n",
                "store",
                "conns",
                "workload",
                "requests/s",
                "(min-max)",
                "p50 ms",
                "p99 ms",
                "CPU us/req",
                "ratio",
                "errors");
        lines.forEach((line, series) -> print(line, series, out));
        out.println();
        out.println("requests/s, p50, p99 and CPU are medians of the rounds; CPU is that of the gateway process.");
        out.println("ratio: requests/s against pass-through on the same store, median of the ratios round by round.");
        out.printf(
                Locale.ROOT,
                "%d processors shared by client, gateway and upstream (load %.1f before); JDK %s; %s.%n",
                Runtime.getRuntime().availableProcessors(),
                loadBefore,
                Runtime.version(),
                Transport.best().name());
        if (errors() > 0) out.println("THERE WERE ERRORS: these numbers are not to be trusted.");
    }

    private void print(Line line, Series series, PrintStream out) {
        Series passThrough = series(new Line(line.connections(), line.gateway(), Workload.PASS_THROUGH));
        String range = String.format(
                Locale.ROOT, "(%,.0f-%,.0f)", series.min(Sample::perSecond), series.max(Sample::perSecond));
        out.printf(
                Locale.ROOT,
                "%-11s %5d  %-12s  %,10.0f %-17s  %7.2f  %7.2f  %10.1f  %6.2f  %d %s%n",
                line.gateway().store(),
                line.connections(),
                line.workload(),
                series.median(Sample::perSecond),
                range,
                series.median(Sample::p50Millis),
                series.median(Sample::p99Millis),
                series.median(Sample::cpuMicrosPerRequest),
                series.ratioTo(passThrough),
                series.errors(),
                series.firstError());
    }
}
