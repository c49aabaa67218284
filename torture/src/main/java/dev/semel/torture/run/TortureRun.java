package dev.semel.torture.run;

import dev.semel.torture.Progress;
import dev.semel.torture.RunClock;
import dev.semel.torture.cast.Cast;
import dev.semel.torture.cast.GatewayProgram;
import dev.semel.torture.cast.Undertaker;
import dev.semel.torture.check.Checker;
import dev.semel.torture.check.Verdict;
import dev.semel.torture.client.Calls;
import dev.semel.torture.client.Crowd;
import dev.semel.torture.client.LastWords;
import dev.semel.torture.client.Operations;
import dev.semel.torture.history.History;
import dev.semel.torture.ledger.LedgerFile;
import dev.semel.torture.nemesis.Nemesis;
import dev.semel.torture.report.Report;
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
 * Real gateways in processes of their own, on a real store, in front of a service that counts; clients that behave badly;
 * and everything breaks, again and again. In the end all is mended, each operation is asked for once more, and what everybody
 * has seen is held against the laws.
 */
public final class TortureRun {
    private static final Duration LAST_WORDS_AT_LEAST = Duration.ofSeconds(90);
    private static final int LAST_WORDS_PER_SECOND = 100;
    private static final int LAST_WORDS_THREADS = 64;
    private static final Duration LOOK_EVERY = Duration.ofSeconds(2);

    private final Options options;
    private final Told told;
    private final PrintStream out;
    private final RunClock clock = RunClock.start();
    private final Operations operations;
    private final History history;
    private final Calls calls;
    private final @Nullable Predicate<Verdict> enough;
    private long lookedAt;
    private boolean seenEnough;

    private TortureRun(Options options, @Nullable Predicate<Verdict> enough, PrintStream out) throws IOException {
        this.options = options;
        this.enough = enough;
        this.operations =
                Operations.ofRun(System.currentTimeMillis(), options.habits().promises());
        this.told = new Told(options, out);
        this.out = out;
        Files.createDirectories(options.report());
        this.history = History.recording(options.report().resolve("history.bin"));
        this.calls = new Calls(clock, history::append);
    }

    /**
     * Runs to the end and writes a report. Every process that it started is gone when it returns, or when its own process is
     * gone.
     *
     * @throws IOException when somebody did not come back after a fault: that is no verdict, but no good news either
     */
    public static Verdict run(Options options, GatewayProgram program, PrintStream out)
            throws IOException, InterruptedException {
        return new TortureRun(options, null, out).run(program);
    }

    /** The same, but over as soon as what was seen so far is enough; then operations are not asked for once more. */
    public static Verdict runUntil(Predicate<Verdict> enough, Options options, GatewayProgram program, PrintStream out)
            throws IOException, InterruptedException {
        return new TortureRun(options, enough, out).run(program);
    }

    private Verdict run(GatewayProgram program) throws IOException, InterruptedException {
        try (history) {
            told.begin();
            torture(program);
            Verdict verdict = Checker.check(history);
            Report.write(options.report(), told.facts(Duration.ofNanos(clock.now())), history, verdict);
            told.end(verdict, calls.count());
            return verdict;
        }
    }

    private void torture(GatewayProgram program) throws IOException, InterruptedException {
        Path folder = Folders.make();
        try (Undertaker undertaker = Undertaker.of(folder)) {
            Stage stage = new Stage(options, program, folder, undertaker);
            try (Cast cast = stage.set(clock)) {
                play(stage, cast);
                if (!seenEnough) hearLastWords(stage);
                cast.end();
                LedgerFile.events(cast.ledger().file(), history::append);
            } finally {
                Folders.keepLogs(folder, options.report());
            }
        }
    }

    private void play(Stage stage, Cast cast) throws IOException, InterruptedException {
        Nemesis nemesis = new Nemesis(cast, options.faults(), options.seed(), clock, history::append);
        AtomicBoolean over = new AtomicBoolean();
        long began = clock.now();
        Progress progress = new Progress(out, () -> soFar(began, nemesis));
        Crowd crowd = Crowd.begin(
                options.clients(),
                stage.doors(),
                operations,
                calls,
                options.habits(),
                options.seed(),
                () -> !over.get());
        try {
            nemesis.rage(() -> isWanted(began) && !hasSeenEnough(cast));
        } finally {
            over.set(true);
            progress.finish();
        }
        crowd.end();
        cast.awaitWell();
    }

    private boolean isWanted(long began) {
        return clock.now() - began < options.duration().toNanos() && calls.count() < options.operations();
    }

    /** A look at what is known by now: all that the clients were told, and then what the service did. */
    private boolean hasSeenEnough(Cast cast) {
        if (enough == null || seenEnough || clock.now() - lookedAt < LOOK_EVERY.toNanos()) return seenEnough;
        try (History soFar = new History()) {
            history.forEach(soFar::append);
            LedgerFile.events(cast.ledger().file(), soFar::append);
            seenEnough = enough.test(Checker.check(soFar));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        lookedAt = clock.now();
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

    private void hearLastWords(Stage stage) throws InterruptedException {
        Duration atMost = LAST_WORDS_AT_LEAST.plusSeconds(operations.count() / LAST_WORDS_PER_SECOND);
        LastWords words = new LastWords(operations.all(), stage.doors(), calls, atMost);
        Progress progress = new Progress(
                out,
                () -> String.format(
                        Locale.ROOT, "all is mended; %,d of %,d keys settled", words.heard(), operations.count()));
        words.hear(LAST_WORDS_THREADS);
        progress.finish();
    }
}
