package dev.semel.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The same measurement, once a round. */
final class Series {
    private final List<Sample> samples = new ArrayList<>();

    void add(Sample sample) {
        samples.add(sample);
    }

    double median(ToDoubleFunction<Sample> value) {
        return median(samples.stream().mapToDouble(value).toArray());
    }

    double min(ToDoubleFunction<Sample> value) {
        return samples.stream().mapToDouble(value).min().orElse(Double.NaN);
    }

    double max(ToDoubleFunction<Sample> value) {
        return samples.stream().mapToDouble(value).max().orElse(Double.NaN);
    }

    /** The median of the ratios round by round, which noise that lasts longer than a round does not disturb. */
    double ratioTo(Series other) {
        double[] ratios = new double[samples.size()];
        for (int i = 0; i < ratios.length; i++)
            ratios[i] = samples.get(i).perSecond() / other.samples.get(i).perSecond();
        return median(ratios);
    }

    long errors() {
        return samples.stream().mapToLong(sample -> sample.result().errors()).sum();
    }

    String firstError() {
        return samples.stream()
                .map(sample -> sample.result().firstError())
                .filter(error -> !error.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        if (sorted.length == 0) return Double.NaN;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
