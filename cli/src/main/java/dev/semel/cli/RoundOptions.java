package dev.semel.cli;

import dev.semel.bench.Rounds;
import dev.semel.bench.report.Report;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** What all benchmarks have in common: how long, how often, and where the figures go. */
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

    Rounds.Plan plan() {
        if (rounds < 1 || seconds < 0.1 || warmUp < 0)
            throw new UsageProblem("--rounds starts at 1, --seconds at 0.1, --warm-up at 0.");
        return new Rounds.Plan(rounds, duration(seconds), duration(warmUp), seed);
    }

    static Duration duration(double seconds) {
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    int show(Report found, CommandSpec command) throws IOException {
        return save.show(found, command);
    }
}
