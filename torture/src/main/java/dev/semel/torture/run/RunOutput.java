package dev.semel.torture.run;

import dev.semel.torture.check.CheckResult;
import dev.semel.torture.client.Door;
import dev.semel.torture.nemesis.FaultKind;
import dev.semel.torture.report.RunFacts;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What a run prints, and the facts about it for its report. */
final class RunOutput {
    private static final int MOST_VIOLATIONS = 20;

    private final Options options;
    private final PrintStream out;
    private final Instant began = Instant.now();

    RunOutput(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    void begin() {
        out.printf(
                Locale.ROOT,
                "seed %d; %s on %s, %d clients%nfaults: %s%n",
                options.seed(),
                doors(),
                store(),
                options.clients(),
                options.faults().isEmpty() ? "none" : faults(", "));
    }

    private String doors() {
        List<String> parts = new ArrayList<>();
        if (options.doors().contains(Door.GATEWAY))
            parts.add(options.gateways() + (options.gateways() == 1 ? " gateway" : " gateways"));
        if (options.doors().contains(Door.LIBRARY))
            parts.add(
                    options.libraries() + (options.libraries() == 1 ? " service" : " services") + " with the library");
        return String.join(", ", parts);
    }

    void end(CheckResult result, int calls) {
        result.violations().stream()
                .limit(MOST_VIOLATIONS)
                .forEach(violation -> out.println("VIOLATION: " + violation));
        if (result.lossCount() > 0) losses(result);
        out.printf(
                Locale.ROOT,
                "%,d operations on %,d keys. %s%nReport: %s%n",
                calls,
                result.keys(),
                result.isClean() ? "No violations." : result.count() + " VIOLATIONS; seed " + options.seed(),
                options.report().resolve("index.html"));
    }

    /** What is to be expected of this store, and how often it came. */
    private void losses(CheckResult result) {
        for (CheckResult.LawTally it : result.laws())
            if (it.lost() > 0) out.printf(Locale.ROOT, "LOST at a fail-over: %,d keys: %s%n", it.lost(), it.law());
        out.printf(
                Locale.ROOT,
                "A replica took over that lacked what its master had acknowledged: %,d keys that were to run at most"
                    + " once ran again.%nThis is what docs/stores/redis.md warns of, and why a gateway starts on such"
                    + " servers only with accept-loss=true. No violation.%n",
                result.doubleEffects());
    }

    RunFacts facts(Duration took) {
        return new RunFacts(options.seed(), command(), store(), began, took, versions(), settings());
    }

    /** Without what may be a password in it. */
    private String store() {
        int query = options.store().indexOf('?');
        return options.store().startsWith("jdbc:") && query >= 0
                ? options.store().substring(0, query)
                : options.store();
    }

    private String command() {
        return "./semel torture --store " + store() + doorOptions() + " --clients "
                + options.clients() + " --faults " + (options.faults().isEmpty() ? "none" : faults(","))
                + length() + " --seed " + options.seed();
    }

    private String doorOptions() {
        String all = options.doors().equals(Set.of(Door.GATEWAY))
                ? ""
                : " --doors " + options.doors().stream().map(Door::title).collect(Collectors.joining(","));
        if (options.doors().contains(Door.GATEWAY)) all += " --gateways " + options.gateways();
        if (options.doors().contains(Door.LIBRARY)) all += " --libraries " + options.libraries();
        return all;
    }

    private String length() {
        if (options.operations() != Options.UNLIMITED) return " --operations " + options.operations();
        return " --minutes "
                + BigDecimal.valueOf(options.duration().toSeconds())
                        .divide(BigDecimal.valueOf(60), 2, RoundingMode.HALF_UP)
                        .stripTrailingZeros()
                        .toPlainString();
    }

    private String faults(String between) {
        return options.faults().stream().map(FaultKind::title).collect(Collectors.joining(between));
    }

    private static Map<String, String> versions() {
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("Java", Runtime.version().toString());
        versions.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        versions.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        return versions;
    }

    private String promises() {
        String all = "at most once, at most once with a probe, at least once";
        return all + (options.doors().contains(Door.LIBRARY) ? "; joined, by the library" : "") + ": as many keys each";
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("doors", doors());
        settings.put("clients", Integer.toString(options.clients()));
        settings.put("promises", promises());
        settings.put("lease", "2 s");
        settings.put("faults", faults(", "));
        return settings;
    }
}
