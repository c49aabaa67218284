package dev.semel.bench.report;

import java.util.List;

/**
 * How one scenario compares with another. It is the median of the ratios round by round, which noise that lasts longer than a
 * round does not disturb.
 *
 * @param name what it says, in a few words
 * @param target what it should at least be (at most, for a figure where less is better); NaN when nothing is promised
 */
public record Ratio(String name, Scenario of, Scenario to, Figure figure, double target) {

    /** What is compared. */
    public enum Figure {
        RATE("operations/s", true),
        CPU("CPU per operation", false),
        ALL_CPU("CPU per operation, all processes", false),
        P99("p99", false);

        private final String label;
        private final boolean moreIsBetter;

        Figure(String label, boolean moreIsBetter) {
            this.label = label;
            this.moreIsBetter = moreIsBetter;
        }

        double in(Sample sample) {
            return switch (this) {
                case RATE -> sample.perSecond();
                case CPU -> sample.cpuMicros();
                case ALL_CPU -> sample.cpuMicros() + sample.behindMicros();
                case P99 -> sample.p99Millis();
            };
        }

        public boolean moreIsBetter() {
            return moreIsBetter;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /** A ratio of rates that nothing is promised about. */
    public static Ratio ofRates(String name, Scenario of, Scenario to) {
        return new Ratio(name, of, to, Figure.RATE, Double.NaN);
    }

    public Ratio withTarget(double target) {
        return new Ratio(name, of, to, figure, target);
    }

    public Ratio of(Figure other) {
        return new Ratio(name, of, to, other, target);
    }

    /** The ratio in these measurements; NaN when one of the two scenarios is not among them. */
    public Spread in(List<Series> measured) {
        List<Sample> above = samples(measured, of);
        List<Sample> below = samples(measured, to);
        double[] ratios = new double[Math.min(above.size(), below.size())];
        for (int i = 0; i < ratios.length; i++) ratios[i] = figure.in(above.get(i)) / figure.in(below.get(i));
        return Spread.of(ratios);
    }

    private static List<Sample> samples(List<Series> measured, Scenario scenario) {
        return measured.stream()
                .filter(series -> series.scenario().equals(scenario))
                .map(Series::samples)
                .findFirst()
                .orElse(List.of());
    }

    public boolean hasTarget() {
        return !Double.isNaN(target);
    }

    /** Whether this median keeps the target; without a target, always. */
    public boolean isMetBy(double median) {
        return !hasTarget() || (figure.moreIsBetter ? median >= target : median <= target);
    }
}
