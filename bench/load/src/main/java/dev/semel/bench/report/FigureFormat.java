package dev.semel.bench.report;

import java.util.Locale;

/** How figures are written: as many digits as they are worth. */
final class FigureFormat {
    private FigureFormat() {}

    static String of(double value) {
        if (!Double.isFinite(value)) return "-";
        double size = Math.abs(value);
        String form = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, form, value);
    }

    static String times(double value) {
        return Double.isFinite(value) ? of(value) + "x" : "-";
    }

    static String range(Spread spread) {
        return "(" + of(spread.min()) + "-" + of(spread.max()) + ")";
    }

    static String target(Ratio ratio) {
        if (!ratio.hasTarget()) return "";
        return (ratio.figure().moreIsBetter() ? "at least " : "at most ") + times(ratio.target());
    }
}
