package dev.semel.bench.report;

import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/**
 * The ratios of some reports as bars from 1x on, to the right where Semel does more per second and to the left where it
 * does less. SVG; readable on light and on dark pages.
 */
public final class RatioChart {
    private static final int WIDTH = 960;
    private static final int LABELS = 400;
    private static final int BARS_END = 800;
    private static final int ROW = 20;
    private static final int BAR = 11;
    private static final int HEADING = 34;
    private static final int TOP = 54;
    private static final int BOTTOM = 16;
    private static final double[] TICKS = {0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64};
    private static final String STYLE = """
        text { font: 12px system-ui, sans-serif; fill: #3d444d; }
        .title { font-weight: 600; }
        .small { font-size: 11px; fill: #6e7781; }
        .grid { stroke: #8b949e; stroke-opacity: .3; }
        .one { stroke: #6e7781; stroke-width: 1.5; }
        .bar { fill: #4c8dd6; }
        .missed { fill: #d9822b; }
        .range { stroke: #24292f; stroke-opacity: .75; stroke-width: 1.2; }
        .target { stroke: #c0392b; stroke-width: 2.5; }
        @media (prefers-color-scheme: dark) {
          text { fill: #d1d7e0; }
          .small { fill: #9198a1; }
          .one { stroke: #9198a1; }
          .range { stroke: #f0f6fc; }
          .target { stroke: #ff7b72; }
        }
        """;

    private final StringBuilder svg = new StringBuilder();
    private final Formatter out = new Formatter(svg, Locale.ROOT);
    private final double least;
    private final double most;

    private RatioChart(double least, double most) {
        this.least = least;
        this.most = most;
    }

    /** All ratios of rates; those of other figures are left to the tables. */
    public static String of(List<Report> all) {
        List<Report> reports =
                all.stream().filter(report -> !rates(report).isEmpty()).toList();
        double least = 0.5;
        double most = 2;
        for (Report report : reports) {
            for (Ratio ratio : rates(report)) {
                Spread spread = ratio.in(report.series());
                least = Math.min(least, spread.min());
                most = Math.max(most, spread.max());
                if (ratio.hasTarget()) most = Math.max(most, ratio.target());
            }
        }
        return new RatioChart(Math.max(least / 1.1, TICKS[0] / 2), most * 1.1).draw(reports);
    }

    private static List<Ratio> rates(Report report) {
        return report.ratios().stream()
                .filter(ratio -> ratio.figure() == Ratio.Figure.RATE)
                .filter(ratio -> Double.isFinite(ratio.in(report.series()).median()))
                .toList();
    }

    private String draw(List<Report> reports) {
        int height = TOP + BOTTOM;
        for (Report report : reports) height += HEADING + rates(report).size() * ROW;
        out.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">%n",
                WIDTH, height, WIDTH, height);
        out.format("<style>%n%s</style>%n", STYLE);
        legend();
        grid(height);
        int y = TOP;
        for (Report report : reports) {
            out.format("<text class=\"title\" x=\"10\" y=\"%d\">%s</text>%n", y + 24, escaped(report.title()));
            y += HEADING;
            for (Ratio ratio : rates(report)) {
                row(ratio, ratio.in(report.series()), y);
                y += ROW;
            }
        }
        return svg.append("</svg>\n").toString();
    }

    private void legend() {
        out.format("<rect class=\"bar\" x=\"10\" y=\"10\" width=\"22\" height=\"%d\"/>%n", BAR);
        out.format("<text class=\"small\" x=\"38\" y=\"20\">operations/s, ratio</text>%n");
        out.format("<line class=\"target\" x1=\"150\" y1=\"8\" x2=\"150\" y2=\"23\"/>%n");
        out.format("<text class=\"small\" x=\"158\" y=\"20\">target</text>%n");
        out.format("<rect class=\"missed\" x=\"208\" y=\"10\" width=\"22\" height=\"%d\"/>%n", BAR);
        out.format("<text class=\"small\" x=\"236\" y=\"20\">target missed</text>%n");
        range(322, 344, 15.5);
        out.format(
                "<text class=\"small\" x=\"350\" y=\"20\">least and most of the rounds (logarithmic scale)</text>%n");
    }

    private void grid(int height) {
        for (double tick : TICKS) {
            if (tick < least || tick > most) continue;
            out.format(
                    "<line class=\"%s\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>%n",
                    tick == 1 ? "one" : "grid", x(tick), TOP, x(tick), height - BOTTOM);
            String label = tick < 1 ? "1/" + Math.round(1 / tick) : Math.round(tick) + "x";
            out.format(
                    "<text class=\"small\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
                    x(tick), TOP - 6, label);
        }
    }

    private void row(Ratio ratio, Spread spread, int y) {
        boolean met = ratio.isMetBy(spread.median());
        double from = Math.min(x(1), x(spread.median()));
        double to = Math.max(x(1), x(spread.median()));
        out.format("<text x=\"20\" y=\"%d\">%s</text>%n", y + BAR - 1, escaped(ratio.name()));
        out.format(
                "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n",
                met ? "bar" : "missed", from, y, Math.max(1, to - from), BAR);
        range(x(spread.min()), x(spread.max()), y + BAR / 2.0);
        if (ratio.hasTarget())
            out.format(
                    "<line class=\"target\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>%n",
                    x(ratio.target()), y - 3, x(ratio.target()), y + BAR + 3);
        String target = ratio.hasTarget() ? " (target " + FigureFormat.times(ratio.target()) + ")" : "";
        out.format(
                "<text x=\"%d\" y=\"%d\">%s<tspan class=\"small\">%s</tspan></text>%n",
                BARS_END + 10, y + BAR - 1, FigureFormat.times(spread.median()), target);
    }

    private void range(double from, double to, double y) {
        out.format(
                "<path class=\"range\" d=\"M%.1f %.1fv5M%.1f %.1fv5M%.1f %.1fH%.1f\"/>%n",
                from, y - 2.5, to, y - 2.5, from, y, to);
    }

    private double x(double ratio) {
        double inside = Math.min(Math.max(ratio, least), most);
        return LABELS + (BARS_END - LABELS) * Math.log(inside / least) / Math.log(most / least);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
