package dev.semel.bench;

import dev.semel.bench.report.Machine;
import dev.semel.bench.report.Sample;
import dev.semel.bench.report.Scenario;
import dev.semel.bench.report.Series;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Measures many scenarios side by side: every round goes over all of them, so that a busy neighbour hits all alike. Within a
 * block of as many callers the order is another one in each round, so that none always profits from what ran before it.
 */
public final class Rounds {
    private final Plan plan;
    private final PrintStream progress;
    private final Map<Scenario, Measurement> measurements = new LinkedHashMap<>();
    private final Map<Scenario, List<Sample>> samples = new LinkedHashMap<>();

    /**
     * How long and how often.
     *
     * @param rounds how often everything is measured
     * @param each how long one measurement takes
     * @param warmUp how long each subject does each kind of work before the first round
     * @param seed decides the order within the rounds
     */
    public record Plan(int rounds, Duration each, Duration warmUp, long seed) {
        public Plan {
            if (rounds < 1 || !each.isPositive()) throw new IllegalArgumentException("No time to measure.");
        }
    }

    /** Measures once, for so long. */
    @FunctionalInterface
    public interface Measurement {
        Sample take(Duration time) throws IOException, InterruptedException;
    }

    public Rounds(Plan plan, PrintStream progress) {
        this.plan = plan;
        this.progress = progress;
    }

    public void add(Scenario scenario, Measurement measurement) {
        measurements.put(scenario, measurement);
        samples.put(scenario, new ArrayList<>());
    }

    /** Runs all rounds, with a line of progress for every measurement. */
    public List<Series> run() throws IOException, InterruptedException {
        Machine machine = Machine.here();
        if (machine.isBusy())
            progress.printf(Locale.ROOT, "The machine is busy (load %.1f): expect noise.%n", machine.load());
        Random order = new Random(plan.seed());
        for (int round = 1; round <= plan.rounds(); round++) {
            for (List<Scenario> block : blocks()) {
                Collections.shuffle(block, order);
                for (Scenario scenario : block) measure(round, scenario);
            }
        }
        return series();
    }

    private List<List<Scenario>> blocks() {
        Map<Integer, List<Scenario>> blocks = new LinkedHashMap<>();
        for (Scenario scenario : measurements.keySet())
            blocks.computeIfAbsent(scenario.callers(), callers -> new ArrayList<>())
                    .add(scenario);
        return List.copyOf(blocks.values());
    }

    private void measure(int round, Scenario scenario) throws IOException, InterruptedException {
        Measurement measurement = measurements.get(scenario);
        List<Sample> all = samples.get(scenario);
        if (measurement == null || all == null) throw new IllegalStateException("Nobody measures " + scenario);
        Sample sample = measurement.take(plan.each());
        all.add(sample);
        progress.printf(
                Locale.ROOT,
                "round %d of %d  %4d callers  %-24s %-14s %,9.0f/s  p99 %.1f ms%s%n",
                round,
                plan.rounds(),
                scenario.callers(),
                scenario.subject(),
                scenario.work(),
                sample.perSecond(),
                sample.p99Millis(),
                sample.errors() == 0 ? "" : "  ERRORS: " + sample.firstError());
    }

    private List<Series> series() {
        List<Series> series = new ArrayList<>();
        samples.forEach((scenario, all) -> series.add(new Series(scenario, all)));
        return series;
    }
}
