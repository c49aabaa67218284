package dev.semel.cli;

import dev.semel.bench.Rounds;
import dev.semel.bench.report.Report;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What benchmarks in rounds have in common: how long, how often, what they run with, and where the figures go. */
final class RoundOptions {
    @Option(names = "--rounds", paramLabel = "N", description = "interleaved rounds of everything (default: 5)")
    private int rounds = 5;

    @Option(names = "--seconds", paramLabel = "N", description = "length of one measurement (default: 2)")
    private double seconds = 2;

    @Option(names = "--warm-up", paramLabel = "N", description = "seconds of each kind of work before (default: 5)")
    private double warmUp = 5;

    @Option(names = "--seed", paramLabel = "N", description = "decides the order within the rounds (default: 1)")
    private long seed = 1;

    @Mixin
    private SaveOption save = new SaveOption();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    /** What a command adds to these options. */
    @FunctionalInterface
    interface Benchmark {
        Report run(Rounds.Plan plan, BenchEnvironment environment) throws Exception;
    }

    /** Runs a benchmark, shows and saves its figures, and returns the exit code. */
    int run(Benchmark benchmark) throws Exception {
        return run(null, benchmark);
    }

    /** The same with all its files in this folder. */
    int run(@Nullable Path parent, Benchmark benchmark) throws Exception {
        try (BenchEnvironment environment = new BenchEnvironment(parent)) {
            return save.show(benchmark.run(plan(), environment), command);
        }
    }

    private Rounds.Plan plan() {
        if (rounds < 1 || seconds < 0.1 || warmUp < 0)
            throw new UsageProblem("--rounds starts at 1, --seconds at 0.1, --warm-up at 0.");
        return new Rounds.Plan(rounds, duration(seconds), duration(warmUp), seed);
    }

    static Duration duration(double seconds) {
        return Duration.ofNanos((long) (seconds * 1e9));
    }
}
