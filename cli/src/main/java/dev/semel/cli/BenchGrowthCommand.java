package dev.semel.cli;

import dev.semel.bench.store.GrowthBench;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "growth",
        description = "The embedded store with millions of kept keys, beside one with few: speed, disk, start, purge.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class BenchGrowthCommand implements Callable<Integer> {
    private static final Pattern COUNT = Pattern.compile("([0-9]{1,9})([KM]?)");

    @Option(
            names = "--keys",
            split = ",",
            paramLabel = "N",
            description = "numbers of kept keys, growing: 1M,10M,100M (default: 1M,10M; 100M takes an hour and 60 GB)")
    private List<String> keys = List.of("1M", "10M");

    @Option(names = "--callers", paramLabel = "N", description = "how many at once (default: 64)")
    private int callers = 64;

    @Option(
            names = "--purge-seconds",
            paramLabel = "N",
            description = "how long the purge alone is measured (default: 10)")
    private double purgeSeconds = 10;

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "on which disk; what is made there is removed (default: the system's temporary folder)")
    private @Nullable Path folder;

    @Mixin
    private RoundOptions rounds = new RoundOptions();

    @Override
    public Integer call() throws Exception {
        try {
            return rounds.run(folder, (plan, environment) -> {
                List<Long> sizes = keys.stream().map(BenchGrowthCommand::count).toList();
                GrowthBench.Options options = new GrowthBench.Options(
                        sizes, environment.folder(), callers, plan, RoundOptions.duration(purgeSeconds));
                return GrowthBench.run(options, BenchEnvironment::gateway, System.err);
            });
        } catch (IllegalArgumentException e) {
            throw new UsageProblem(String.valueOf(e.getMessage()));
        }
    }

    private static long count(String text) {
        Matcher matcher = COUNT.matcher(text.toUpperCase(Locale.ROOT));
        if (!matcher.matches()) throw new UsageProblem("This is no number of keys: " + text + " (like 500K or 10M)");
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "K" -> number * 1_000;
            case "M" -> number * 1_000_000;
            default -> number;
        };
    }
}
