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
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Real gateways in processes of their own, on a real store, in front of a service that counts; clients that behave badly;
 * and everything breaks, again and again. In the end all is mended, each operation is asked for once more, and what everybody
 * has seen is held against the laws.
 */
public final class TortureRun {
    private static final Duration LAST_WORDS_AT_LEAST = Duration.ofSeconds(90);
    private static final int LAST_WORDS_PER_SECOND = 200;
    private static final int MOST_TOLD = 20;

    private final Options options;
    private final PrintStream out;
    private final RunClock clock = RunClock.start();
    private final Operations operations;
    private final History history;
    private final Calls calls;

    private TortureRun(Options options, PrintStream out) throws IOException {
        this.options = options;
        this.out = out;
        Files.createDirectories(options.report());
        this.history = History.recording(options.report().resolve("history.bin"));
        this.calls = new Calls(clock, history::append);
        this.operations = new Operations(
                "t" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX) + "-", options.operations());
    }

    /** Runs to the end. Every process that it started is gone when it returns, or when its own process is gone. */
    public static Verdict run(Options options, GatewayProgram program, PrintStream out)
            throws IOException, InterruptedException {
        TortureRun run = new TortureRun(options, out);
        try (History history = run.history) {
            run.torture(program);
            Verdict verdict = Checker.check(history);
            run.tell(verdict);
            return verdict;
        }
    }

    private void torture(GatewayProgram program) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("semel-torture");
        try (Undertaker undertaker = Undertaker.of(folder)) {
            Stage stage = new Stage(options, program, folder, undertaker);
            out.printf(
                    Locale.ROOT,
                    "seed %d, %d gateways on %s, %d clients%n",
                    options.seed(),
                    options.gateways(),
                    options.store(),
                    options.clients());
            try (Cast cast = stage.set(clock)) {
                play(stage, cast);
                cast.end();
                LedgerFile.events(cast.ledger().file(), history::append);
            } finally {
                keepLogs(folder);
            }
        }
    }

    private void play(Stage stage, Cast cast) throws IOException, InterruptedException {
        Nemesis nemesis = new Nemesis(cast, options.faults(), options.seed(), clock, history::append);
        AtomicBoolean over = new AtomicBoolean();
        long began = System.nanoTime();
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
            nemesis.rage(() -> isWanted(began));
        } finally {
            over.set(true);
            crowd.end();
            progress.finish();
        }
        cast.awaitWell();
        hearLastWords(stage);
    }

    private boolean isWanted(long began) {
        return System.nanoTime() - began < options.duration().toNanos() && operations.count() < options.operations();
    }

    private String soFar(long began, Nemesis nemesis) {
        double seconds = (System.nanoTime() - began) / 1e9;
        return String.format(
                Locale.ROOT,
                "%.0f s  %,d operations  %,d calls  %,.0f/s  %s",
                seconds,
                operations.count(),
                calls.count(),
                calls.count() / seconds,
                nemesis.now());
    }

    private void hearLastWords(Stage stage) throws InterruptedException {
        Duration atMost = LAST_WORDS_AT_LEAST.plusSeconds(operations.count() / LAST_WORDS_PER_SECOND);
        LastWords words = new LastWords(operations.all(), stage.doors(), calls, atMost);
        Progress progress = new Progress(
                out,
                () -> String.format(
                        Locale.ROOT, "%,d of %,d operations asked for once more", words.heard(), operations.count()));
        words.hear(Math.max(options.clients(), 64));
        progress.finish();
    }

    private void tell(Verdict verdict) {
        verdict.violations().stream().limit(MOST_TOLD).forEach(violation -> out.println("VIOLATION: " + violation));
        String end = verdict.isClean() ? "No violations." : verdict.count() + " VIOLATIONS; seed " + options.seed();
        out.printf(Locale.ROOT, "%,d keys, %,d calls. %s%n", verdict.keys(), calls.count(), end);
    }

    /** What the processes have printed, for whoever has to find out. */
    private void keepLogs(Path folder) throws IOException {
        try (var files = Files.newDirectoryStream(folder, "*.{log,yaml}")) {
            for (Path file : files)
                Files.copy(
                        file,
                        options.report().resolve(String.valueOf(file.getFileName())),
                        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
