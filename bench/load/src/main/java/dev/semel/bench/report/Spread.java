package dev.semel.bench.report;

import java.util.Arrays;

/** The middle of some figures, and how far they lie apart. All NaN when there are none. */
public record Spread(double median, double min, double max) {

    public static Spread of(double... figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        if (sorted.length == 0) return new Spread(Double.NaN, Double.NaN, Double.NaN);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }
}
