package dev.semel.cli;

import dev.semel.core.move.Migration;
import dev.semel.core.move.MigrationReport;
import dev.semel.core.store.KeyStore;
import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.config.StoreUrl;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "migrate",
        description = "Copies all live keys of one store to another.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Run it while all gateways have both stores (--store and --store-before), or while none runs.",
            "It can be stopped and run again at any time, and never overwrites what is newer in the target.",
            "Keys that are held, free or in doubt leave the source for good: it keeps a seal in their place, and a"
                    + " gateway",
            "that knows only the source answers 503 for them. To go back, migrate the other way.",
            "",
            "Exit code 1: some keys are left, and the last lines say which. Step by step: docs/migrating.md"
        })
final class MigrateCommand implements Callable<Integer> {
    private static final long PROGRESS_NANOS = Duration.ofSeconds(5).toNanos();

    @Option(names = "--from", paramLabel = "URL", required = true, description = "the store that keys are in")
    private String from = "";

    @Option(names = "--to", paramLabel = "URL", required = true, description = "the store that they are copied to")
    private String to = "";

    @Option(
            names = "--store-wait",
            paramLabel = "TIME",
            defaultValue = "60s",
            description = "how long to wait for a database that does not take connections yet (default: 60s)")
    private String storeWait = "60s";

    private long began;
    private long shown;

    @Override
    public Integer call() {
        if (checked(from).equals(checked(to))) throw new UsageProblem("--from and --to are the same store.");
        StoreWait wait = StoreWait.of(storeWait);
        try (KeyStore source = wait.open(from);
                KeyStore target = wait.open(to)) {
            Migration migration = StoreUrls.migration(source, target);
            began = System.nanoTime();
            shown = began;
            MigrationReport report = migration.run(this::progress);
            print(report, System.out);
            return report.isComplete() ? 0 : 1;
        }
    }

    private static String checked(String url) {
        try {
            return StoreUrl.checked(url);
        } catch (IllegalArgumentException e) {
            throw new UsageProblem(String.valueOf(e.getMessage()));
        }
    }

    private void progress(MigrationReport soFar) {
        long now = System.nanoTime();
        if (now - shown < PROGRESS_NANOS) return;
        shown = now;
        System.err.printf(
                Locale.ROOT,
                "semel: %,d keys looked at, %,d copied, %,.0f/s%n",
                soFar.looked(),
                soFar.copied(),
                soFar.looked() / seconds());
    }

    private double seconds() {
        return Math.max(1, System.nanoTime() - began) / 1e9;
    }

    private void print(MigrationReport report, PrintStream out) {
        out.printf(
                Locale.ROOT,
                "%,d keys looked at in %.1f s, %,.0f/s%n",
                report.looked(),
                seconds(),
                report.looked() / seconds());
        line(out, report.copied(), "copied", null);
        line(out, report.withoutBody(), "of these without their body", "their outcome is larger than the target keeps");
        line(
                out,
                report.thereBefore(),
                "in the target already",
                "an earlier run or a claim has brought them; left as they are");
        line(out, report.forgotten(), "not copied", "there was nothing left to remember");
        line(out, report.lifted(), "seals of an earlier move the other way lifted", null);
        line(
                out,
                report.running(),
                "LEFT: in progress",
                "somebody is at work on them; run this again when that has ended");
        line(out, report.failed(), "LEFT: failed", "a store did not take or give them; run this again");
        for (String each : report.leftOut()) out.println("    " + TerminalText.text(each));
        out.println(
                report.isComplete() ? "All that is live in the source is in the target." : "Not all is in the target.");
    }

    private static void line(PrintStream out, long count, String what, @Nullable String why) {
        if (count > 0) out.printf(Locale.ROOT, "  %,d %s%s%n", count, what, why == null ? "" : " (" + why + ")");
    }
}
