package dev.semel.torture.run;

import dev.semel.torture.Progress;
import dev.semel.torture.RunClock;
import dev.semel.torture.check.CheckResult;
import dev.semel.torture.check.Checker;
import dev.semel.torture.check.Losses;
import dev.semel.torture.client.Calls;
import dev.semel.torture.client.Clients;
import dev.semel.torture.client.FinalAnswers;
import dev.semel.torture.client.Operations;
import dev.semel.torture.history.History;
import dev.semel.torture.nemesis.FailOverWatch;
import dev.semel.torture.nemesis.Nemesis;
import dev.semel.torture.report.Report;
import dev.semel.torture.system.Programs;
import dev.semel.torture.system.RunCleanup;
import dev.semel.torture.system.SystemUnderTest;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Real gateways, and services with the library, in processes of their own, on a real store, in front of a service that counts; clients that behave badly;
 * and everything breaks, again and again. In the end all faults are healed, each operation is asked for once more, and what everybody
 * has seen is held against the laws.
 */
public final class TortureRun {
    private static final Duration FINAL_ANSWERS_TIMEOUT = Duration.ofSeconds(90);
    private static final int FINAL_ANSWERS_PER_SECOND = 100;
    private static final int FINAL_ANSWERS_THREADS = 64;
    private static final Duration CHECK_EVERY = Duration.ofSeconds(2);

    private final Options options;
    private final @Nullable String migrateTo;
    private final RunOutput output;
    private final PrintStream out;
    private final RunClock clock = RunClock.start();
    private final Operations operations;
    private final History history;
    private final Calls calls;
    private final @Nullable Predicate<CheckResult> enough;
    private long checkedAt;
    private boolean seenEnough;

    private TortureRun(
            Options options, @Nullable String migrateTo, @Nullable Predicate<CheckResult> enough, PrintStream out)
            throws IOException {
        this.options = options;
        this.migrateTo = migrateTo;
        this.enough = enough;
        this.operations = Operations.ofRun(
                System.currentTimeMillis(), options.doors(), options.behaviour().promises());
        this.output = new RunOutput(options, out);
        this.out = out;
        Files.createDirectories(options.report());
        this.history = History.recording(options.report().resolve("history.bin"));
        this.calls = new Calls(clock, history::append);
    }

    /**
     * Runs to the end and writes a report. Every process that it started is gone when it returns, or when its own process is
     * gone.
     *
     * @throws IOException when somebody did not come back after a fault: that is no result, but no good news either
     */
    public static CheckResult run(Options options, Programs programs, PrintStream out)
            throws IOException, InterruptedException {
        return new TortureRun(options, null, null, out).run(programs);
    }

    /**
     * The same while the fleet changes its store.
     *
     * @param migrateTo {@code postgresql} for another server of the run's own, or a URL
     */
    public static CheckResult runMigrating(Options options, String migrateTo, Programs programs, PrintStream out)
            throws IOException, InterruptedException {
        return new TortureRun(options, migrateTo, null, out).run(programs);
    }

    /** The same, but over as soon as what was seen so far is enough; then operations are not asked for once more. */
    public static CheckResult runUntil(
            Predicate<CheckResult> enough, Options options, Programs programs, PrintStream out)
            throws IOException, InterruptedException {
        return new TortureRun(options, null, enough, out).run(programs);
    }

    private CheckResult run(Programs programs) throws IOException, InterruptedException {
        try (history) {
            output.begin();
            torture(programs);
            CheckResult result = Checker.check(history, losses());
            Report.write(options.report(), output.facts(Duration.ofNanos(clock.now())), history, result);
            output.end(result, calls.count());
            return result;
        }
    }

    /** What a store may lose when a replica takes over, if it is one that says so; else nothing. */
    private Losses losses() {
        return options.kind().losesAtFailOver() ? Losses.atFailOvers(history) : Losses.NONE;
    }

    private void torture(Programs programs) throws IOException, InterruptedException {
        Path folder = Folders.make();
        try (RunCleanup cleanup = RunCleanup.of(folder)) {
            SystemSetup setup = new SystemSetup(options, programs, folder, cleanup);
            try (SystemUnderTest system = setup.start(clock)) {
                FailOverWatch failOvers = new FailOverWatch(system.store(), clock, history::append);
                StoreSwitch change = migrateTo == null
                        ? null
                        : StoreSwitch.begin(system, cleanup, programs, folder, migrateTo, options, out);
                runClientsAndFaults(setup, system, failOvers, change);
                if (!seenEnough) collectFinalAnswers(setup);
                failOvers.look();
                system.endActing();
                setup.effects(system, history::append);
                setup.dropJoinedLedger(system);
                system.endStore();
            } finally {
                Folders.keepLogs(folder, options.report());
            }
        }
    }

    private void runClientsAndFaults(
            SystemSetup setup, SystemUnderTest system, FailOverWatch failOvers, @Nullable StoreSwitch change)
            throws IOException, InterruptedException {
        Nemesis nemesis = new Nemesis(system, options.faults(), options.seed(), clock, failOvers, history::append);
        AtomicBoolean over = new AtomicBoolean();
        long began = clock.now();
        Progress progress = new Progress(out, () -> soFar(began, nemesis));
        Clients clients = Clients.start(
                options.clients(),
                setup.endpoints(),
                operations,
                calls,
                options.behaviour(),
                options.seed(),
                () -> !over.get());
        try {
            nemesis.run(() -> isRunning(change) || (isWanted(began) && !hasSeenEnough(setup, system)));
            if (change != null) change.await();
        } finally {
            over.set(true);
            progress.finish();
        }
        clients.end();
        system.awaitReady();
    }

    private static boolean isRunning(@Nullable StoreSwitch change) {
        return change != null && change.isRunning();
    }

    private boolean isWanted(long began) {
        return clock.now() - began < options.duration().toNanos() && calls.count() < options.operations();
    }

    /** A look at what is known by now: all that the clients were told, and then what the service did. */
    private boolean hasSeenEnough(SystemSetup setup, SystemUnderTest system) {
        if (enough == null || seenEnough || clock.now() - checkedAt < CHECK_EVERY.toNanos()) return seenEnough;
        try (History soFar = new History()) {
            history.forEach(soFar::append);
            setup.effects(system, soFar::append);
            seenEnough = enough.test(Checker.check(soFar));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        checkedAt = clock.now();
        return seenEnough;
    }

    private String soFar(long began, Nemesis nemesis) {
        double seconds = (clock.now() - began) / 1e9;
        return String.format(
                Locale.ROOT,
                "%.0f s  %,d operations on %,d keys  %,.0f/s  %s",
                seconds,
                calls.count(),
                operations.count(),
                calls.count() / seconds,
                nemesis.now());
    }

    private void collectFinalAnswers(SystemSetup setup) throws InterruptedException {
        Duration atMost = FINAL_ANSWERS_TIMEOUT.plusSeconds(operations.count() / FINAL_ANSWERS_PER_SECOND);
        FinalAnswers answers = new FinalAnswers(operations.all(), setup.endpoints(), calls, atMost);
        Progress progress = new Progress(
                out,
                () -> String.format(
                        Locale.ROOT,
                        "all is mended; %,d of %,d keys settled",
                        answers.settledCount(),
                        operations.count()));
        answers.collect(FINAL_ANSWERS_THREADS);
        progress.finish();
    }
}
