package dev.semel.bench.library;

import dev.semel.bench.ChildJvm;
import dev.semel.bench.ProcessCpu;
import dev.semel.bench.Rounds;
import dev.semel.bench.Targets;
import dev.semel.bench.loop.LoopResult;
import dev.semel.bench.loop.LoopServer;
import dev.semel.bench.report.Machine;
import dev.semel.bench.report.Ratio;
import dev.semel.bench.report.Report;
import dev.semel.bench.report.Sample;
import dev.semel.bench.report.Scenario;
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

    /** A library, as a program that takes its orders line by line; see {@link LoopServer}. */
    public record Peer(String label, String classPath, String mainClass) {
        public static Peer semel() {
            return new Peer(OURS, System.getProperty("java.class.path"), SemelPeer.class.getName());
        }
    }

    /**
     * What to measure.
     *
     * @param pid the process of the database
     * @param connections how many connections to the database a library may use, where it lets us choose
     */
    public record Options(String jdbcUrl, long pid, List<Peer> peers, int callers, int connections, Rounds.Plan plan) {}

    private LibraryBench(Options options, PrintStream progress) {
        this.options = options;
        this.progress = progress;
    }

    /** Compares the first peer with all others. Every process that it started is gone when it returns. */
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
                child.awaitLine(LoopServer.READY, PATIENCE);
                warmUp(peer, child);
                rounds.add(scenario(peer, FRESH), time -> measure(child, FRESH, time));
                rounds.add(scenario(peer, REPLAYS), time -> measure(child, REPLAYS, time));
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
        child.ask("fresh " + millis, LoopServer.LOOPED, PATIENCE);
        while (!isWarm(peer, child, millis)) millis *= 2;
    }

    /** Whether every key that is replayed was used before, so that no replay runs the effect. */
    private static boolean isWarm(Peer peer, ChildJvm child, long millis) throws IOException, InterruptedException {
        Reply reply = ask(child, "replay " + millis + " " + REPLAYED_KEYS);
        if (reply.result().operations() == 0)
            throw new IOException(peer.label() + ": " + reply.result().firstError());
        return reply.effects() == 0 && reply.result().operations() >= REPLAYED_KEYS;
    }

    private Scenario scenario(Peer peer, String work) {
        return new Scenario(peer.label(), work, options.callers());
    }

    private Sample measure(ChildJvm child, String work, Duration time) throws IOException, InterruptedException {
        Duration cpu = child.cpuTime();
        Duration behind = ProcessCpu.of(options.pid());
        boolean fresh = work.equals(FRESH);
        Reply reply = ask(child, (fresh ? "fresh " : "replay ") + time.toMillis() + (fresh ? "" : " " + REPLAYED_KEYS));
        LoopResult result = reply.result();
        Sample sample = Sample.of(
                result, child.cpuTime().minus(cpu), ProcessCpu.of(options.pid()).minus(behind));
        long expected = fresh ? result.operations() + result.errors() : 0;
        if (reply.effects() == expected) return sample;
        return sample.withErrors(1, "the effect ran " + reply.effects() + " times instead of " + expected);
    }

    private record Reply(long effects, LoopResult result) {}

    private static Reply ask(ChildJvm child, String line) throws IOException, InterruptedException {
        String[] answer = child.ask(line, LoopServer.LOOPED, PATIENCE)
                .substring(LoopServer.LOOPED.length())
                .split(" ", 2);
        return new Reply(Long.parseLong(answer[0]), LoopResult.parse(answer[1]));
    }

    private Report report(List<Series> series) {
        Peer ours = options.peers().getFirst();
        List<Ratio> ratios = new ArrayList<>();
        for (Peer peer : options.peers().subList(1, options.peers().size())) {
            for (String work : List.of(FRESH, REPLAYS)) {
                Ratio ratio = Ratio.ofRates(
                        work + ", " + ours.label() + " / " + peer.label(), scenario(ours, work), scenario(peer, work));
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
