package dev.semel.bench.library;

import dev.semel.bench.ChildJvm;
import dev.semel.bench.LoopSample;
import dev.semel.bench.ProcessCpu;
import dev.semel.bench.Rounds;
import dev.semel.bench.Targets;
import dev.semel.bench.loop.Looped;
import dev.semel.bench.loop.ToldLoop;
import dev.semel.bench.report.Line;
import dev.semel.bench.report.Machine;
import dev.semel.bench.report.Ratio;
import dev.semel.bench.report.Report;
import dev.semel.bench.report.Sample;
import dev.semel.bench.report.Series;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** One idempotent operation per key, called from Java by many threads at once, through different libraries. */
public final class LibraryBench {
    private static final String OURS = "semel";
    private static final String FRESH = "fresh keys";
    private static final String REPLAYS = "replays";
    private static final int REPLAYED_KEYS = 1_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final List<String> JVM =
            List.of("-XX:+UseParallelGC", "-Xmx1g", "--enable-native-access=ALL-UNNAMED");

    private final Options options;
    private final PrintStream progress;
    private final Machine machine = Machine.here();

    /** A library, as a program that is told by lines what to do; see {@link ToldLoop}. */
    public record Peer(String label, String classPath, String mainClass) {
        public static Peer semel() {
            return new Peer(OURS, System.getProperty("java.class.path"), SemelPeer.class.getName());
        }
    }

    /**
     * What to measure.
     *
     * @param pid the process of the database
     * @param connections how many each library may have to the database, if it is told
     */
    public record Options(String jdbcUrl, long pid, List<Peer> peers, int callers, int connections, Rounds.Plan plan) {}

    private LibraryBench(Options options, PrintStream progress) {
        this.options = options;
        this.progress = progress;
    }

    /** Runs the benchmark; the first peer is compared with all others. Every process that it started is gone then. */
    public static Report run(Options options, PrintStream progress) throws IOException, InterruptedException {
        return new LibraryBench(options, progress).run();
    }

    private Report run() throws IOException, InterruptedException {
        List<ChildJvm> children = new ArrayList<>();
        try {
            Rounds rounds = new Rounds(options.plan(), progress);
            for (Peer peer : options.peers()) {
                ChildJvm child = start(peer);
                children.add(child);
                child.awaitLine(ToldLoop.READY, PATIENCE);
                warmUp(peer, child);
                rounds.add(line(peer, FRESH), time -> measure(child, FRESH, time));
                rounds.add(line(peer, REPLAYS), time -> measure(child, REPLAYS, time));
            }
            return report(rounds.run());
        } finally {
            children.forEach(ChildJvm::close);
        }
    }

    private ChildJvm start(Peer peer) throws IOException {
        return ChildJvm.start(
                peer.classPath(),
                JVM,
                peer.mainClass(),
                List.of(
                        options.jdbcUrl(),
                        Integer.toString(options.callers()),
                        Integer.toString(options.connections()),
                        "run-" + Long.toHexString(System.nanoTime()) + "-"));
    }

    private void warmUp(Peer peer, ChildJvm child) throws IOException, InterruptedException {
        progress.println("warming up " + peer.label());
        long millis = Math.max(100, options.plan().warmUp().toMillis());
        child.ask("fresh " + millis, ToldLoop.LOOPED, PATIENCE);
        while (!isWarm(peer, child, millis)) millis *= 2;
    }

    /** Whether all keys that are replayed were used before, so that none had to run any more. */
    private static boolean isWarm(Peer peer, ChildJvm child, long millis) throws IOException, InterruptedException {
        Told told = ask(child, "replay " + millis + " " + REPLAYED_KEYS);
        if (told.looped().operations() == 0)
            throw new IOException(peer.label() + ": " + told.looped().firstError());
        return told.effects() == 0 && told.looped().operations() >= REPLAYED_KEYS;
    }

    private Line line(Peer peer, String work) {
        return new Line(peer.label(), work, options.callers());
    }

    private Sample measure(ChildJvm child, String work, Duration time) throws IOException, InterruptedException {
        Duration cpu = child.cpuTime();
        Duration behind = ProcessCpu.of(options.pid());
        boolean fresh = work.equals(FRESH);
        Told told = ask(child, (fresh ? "fresh " : "replay ") + time.toMillis() + (fresh ? "" : " " + REPLAYED_KEYS));
        Looped looped = told.looped();
        Sample sample = LoopSample.of(
                looped, child.cpuTime().minus(cpu), ProcessCpu.of(options.pid()).minus(behind));
        long expected = fresh ? looped.operations() + looped.errors() : 0;
        if (told.effects() == expected) return sample;
        return sample.withErrors(1, "the effect ran " + told.effects() + " times instead of " + expected);
    }

    private record Told(long effects, Looped looped) {}

    private static Told ask(ChildJvm child, String line) throws IOException, InterruptedException {
        String[] answer = child.ask(line, ToldLoop.LOOPED, PATIENCE)
                .substring(ToldLoop.LOOPED.length())
                .split(" ", 2);
        return new Told(Long.parseLong(answer[0]), Looped.parse(answer[1]));
    }

    private Report report(List<Series> series) {
        Peer ours = options.peers().getFirst();
        List<Ratio> ratios = new ArrayList<>();
        for (Peer peer : options.peers().subList(1, options.peers().size())) {
            for (String work : List.of(FRESH, REPLAYS)) {
                Ratio ratio = Ratio.ofRates(
                        work + ", " + ours.label() + " / " + peer.label(), line(ours, work), line(peer, work));
                ratios.add(ratio.withTarget(Targets.LIBRARY_TO_PEER));
                ratios.add(ratio.of(Ratio.Figure.ALL_CPU));
            }
        }
        return new Report(
                "libraries",
                "Java libraries on one PostgreSQL",
                "./semel bench libraries",
                Instant.now(),
                machine,
                "database",
                series,
                ratios,
                List.of(),
                List.of(
                        "One trivial operation per key; its answer has 205 bytes. Each library runs in a JVM of its"
                                + " own, on platform threads, on the same database with fsync on.",
                        "semel: claim, run, complete, with the store's default pool; it compares a fingerprint, holds a"
                                + " renewed lease and hands out a fencing token.",
                        "dbos: a workflow without steps, called synchronously with the key as its id, on a Hikari pool"
                                + " of "
                                + options.connections()
                                + " connections. It does more: it recovers workflows after a crash, and serializes"
                                + " arguments and results."));
    }
}
