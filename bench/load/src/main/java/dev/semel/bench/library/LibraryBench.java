package dev.semel.bench.library;

import dev.semel.bench.ChildJvm;
import dev.semel.bench.ProcessCpu;
import dev.semel.bench.Rounds;
import dev.semel.bench.Targets;
import dev.semel.bench.loop.Ledger;
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
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One operation per key, called from Java by many threads at once: through Semel in two ways, through other libraries, and bare,
 * without anything that makes it happen once.
 */
public final class LibraryBench {
    private static final String FRESH = "fresh keys";
    private static final String REPLAYS = "replays";
    private static final int REPLAYED_KEYS = 1_000;

    /** As many statements as a transfer between two accounts takes. */
    private static final int LARGER = 5;

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final List<String> JVM =
            List.of("-XX:+UseParallelGC", "-Xmx512m", "--enable-native-access=ALL-UNNAMED");

    private final Options options;
    private final PrintStream progress;
    private final Machine machine = Machine.here();

    /** What makes an operation happen once. */
    public enum Kind {
        /** Nothing does: it has no replays. */
        BARE,
        /** Semel, in the caller's transaction. */
        JOINED,
        /** Semel, in a transaction that it commits. */
        TRANSACTING,
        /** Semel, with a lease. */
        LEASED,
        /** Another library. */
        OTHER
    }

    /**
     * A library, as a program that takes its orders line by line; see {@link LoopServer}.
     *
     * @param rows how many an operation adds to the ledger, each by a statement
     */
    public record Peer(Kind kind, String label, int rows, String classPath, String mainClass) {
        /** Semel, and what it is a part of, all on this class path. */
        public static List<Peer> ours() {
            return List.of(
                    ours(Kind.BARE, "bare transaction", 1, BarePeer.class),
                    ours(Kind.JOINED, "semel joined", 1, JoinedPeer.class),
                    ours(Kind.TRANSACTING, "semel transacting", 1, TransactingPeer.class),
                    ours(Kind.LEASED, "semel leased", 1, LeasedPeer.class),
                    ours(Kind.JOINED, "semel joined, no row", 0, JoinedPeer.class),
                    ours(Kind.TRANSACTING, "semel transacting, no row", 0, TransactingPeer.class),
                    ours(Kind.LEASED, "semel leased, no row", 0, LeasedPeer.class),
                    ours(Kind.BARE, "bare transaction, five rows", LARGER, BarePeer.class),
                    ours(Kind.JOINED, "semel joined, five rows", LARGER, JoinedPeer.class),
                    ours(Kind.TRANSACTING, "semel transacting, five rows", LARGER, TransactingPeer.class));
        }

        private static Peer ours(Kind kind, String label, int rows, Class<?> main) {
            return new Peer(kind, label, rows, System.getProperty("java.class.path"), main.getName());
        }

        /** Another library, with one row and with none. */
        public static List<Peer> other(String label, String classPath, String mainClass) {
            return List.of(
                    new Peer(Kind.OTHER, label, 1, classPath, mainClass),
                    new Peer(Kind.OTHER, label + ", no row", 0, classPath, mainClass));
        }

        private List<String> works() {
            return kind == Kind.BARE || rows != 1 ? List.of(FRESH) : List.of(FRESH, REPLAYS);
        }
    }

    /**
     * What to measure.
     *
     * @param pid the process of the database
     * @param connections how many connections to the database each of them may use
     */
    public record Options(
            String jdbcUrl, long pid, List<Peer> peers, List<Integer> callers, int connections, Rounds.Plan plan) {
        public Options {
            peers = List.copyOf(peers);
            callers = List.copyOf(callers);
        }
    }

    private LibraryBench(Options options, PrintStream progress) {
        this.options = options;
        this.progress = progress;
    }

    /** Every process that it started is gone when it returns. */
    public static Report run(Options options, PrintStream progress)
            throws IOException, InterruptedException, SQLException {
        return new LibraryBench(options, progress).run();
    }

    private Report run() throws IOException, InterruptedException, SQLException {
        makeLedger();
        Map<Peer, ChildJvm> children = new LinkedHashMap<>();
        try {
            for (Peer peer : options.peers()) {
                ChildJvm child = start(peer);
                children.put(peer, child);
                child.awaitLine(LoopServer.READY, PATIENCE);
                warmUp(peer, child);
            }
            Rounds rounds = new Rounds(options.plan(), progress);
            for (String work : List.of(FRESH, REPLAYS))
                for (int callers : options.callers())
                    children.forEach((peer, child) -> {
                        if (peer.works().contains(work))
                            rounds.add(scenario(peer, work, callers), time -> measure(child, work, callers, time));
                    });
            return report(rounds.run());
        } finally {
            children.values().forEach(ChildJvm::close);
        }
    }

    private void makeLedger() throws SQLException {
        try (Connection connection = DriverManager.getConnection(options.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(Ledger.TABLE);
        }
    }

    private ChildJvm start(Peer peer) throws IOException {
        return ChildJvm.start(
                peer.classPath(),
                JVM,
                peer.mainClass(),
                List.of(
                        options.jdbcUrl(),
                        Integer.toString(options.connections()),
                        "run-" + Long.toHexString(System.nanoTime()) + "-",
                        Integer.toString(peer.rows())));
    }

    private void warmUp(Peer peer, ChildJvm child) throws IOException, InterruptedException {
        progress.println("warming up " + peer.label());
        int callers = Collections.max(options.callers());
        long millis = Math.max(100, options.plan().warmUp().toMillis());
        child.ask("fresh " + callers + " " + millis, LoopServer.LOOPED, PATIENCE);
        if (peer.works().contains(REPLAYS)) while (!isWarm(peer, child, callers, millis)) millis *= 2;
    }

    /** Whether every key that is replayed was used before, so that no replay runs the effect. */
    private static boolean isWarm(Peer peer, ChildJvm child, int callers, long millis)
            throws IOException, InterruptedException {
        Reply reply = ask(child, "replay " + callers + " " + millis + " " + REPLAYED_KEYS);
        if (reply.result().operations() == 0)
            throw new IOException(peer.label() + ": " + reply.result().firstError());
        return reply.effects() == 0 && reply.result().operations() >= REPLAYED_KEYS;
    }

    private static Scenario scenario(Peer peer, String work, int callers) {
        return new Scenario(peer.label(), work, callers);
    }

    private Sample measure(ChildJvm child, String work, int callers, Duration time)
            throws IOException, InterruptedException {
        Duration cpu = child.cpuTime();
        Duration behind = ProcessCpu.of(options.pid());
        boolean fresh = work.equals(FRESH);
        String loop = callers + " " + time.toMillis();
        Reply reply = ask(child, fresh ? "fresh " + loop : "replay " + loop + " " + REPLAYED_KEYS);
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
        return new Report(
                "libraries",
                "Java libraries on one PostgreSQL",
                "./semel bench libraries",
                Instant.now(),
                machine,
                "database",
                series,
                ratios(),
                List.of(),
                List.of(
                        "One operation is one row in a ledger, committed, or five by five statements, or nothing at"
                            + " all, which shows what a library itself costs; its answer has 205 bytes. Each runs in a"
                            + " JVM of its own, on platform threads with a Hikari pool of "
                                + options.connections()
                                + " connections, on the same database with fsync and synchronous_commit on.",
                        "bare transaction: the row alone, what the caller would do without any protection.",
                        "semel joined: claim, row and outcome in that one transaction. semel transacting: the same,"
                            + " with a commit that is sent with the outcome. semel leased: claim, the row in a"
                            + " transaction of its own, outcome. All compare a fingerprint of the request and hand out"
                            + " a fencing token.",
                        "dbos: a workflow without steps, called synchronously with the key as its id; the row in a"
                                + " transaction of its own. It does more: it recovers workflows after a crash, and"
                                + " serializes arguments and results.",
                        "Not measured, for they could not be resolved: idempotency4j"
                                + " (io.github.josipmusa:idempotency-jdbc:0.1.0), idempotent"
                                + " (io.github.arun0009:idempotent-rds:3.1.0 and earlier)."));
    }

    private List<Ratio> ratios() {
        List<Ratio> ratios = new ArrayList<>();
        for (int callers : options.callers())
            for (Peer bare : of(Kind.BARE))
                for (Kind kind : List.of(Kind.JOINED, Kind.TRANSACTING))
                    for (Peer ours : of(kind))
                        if (ours.rows() == bare.rows()) add(ratios, ours, bare, FRESH, callers, Targets.JOINED_TO_BARE);
        for (String work : List.of(FRESH, REPLAYS))
            for (int callers : options.callers())
                for (Peer other : of(Kind.OTHER))
                    for (Kind kind : List.of(Kind.JOINED, Kind.TRANSACTING, Kind.LEASED))
                        for (Peer ours : of(kind))
                            if (ours.rows() == other.rows() && other.works().contains(work))
                                add(ratios, ours, other, work, callers, Targets.LIBRARY_TO_PEER);
        return ratios;
    }

    private List<Peer> of(Kind kind) {
        return options.peers().stream().filter(peer -> peer.kind() == kind).toList();
    }

    private static void add(List<Ratio> ratios, Peer above, Peer below, String work, int callers, double target) {
        String name = work + ", " + above.label() + " / " + below.label() + " (" + callers + ")";
        Ratio ratio = Ratio.ofRates(name, scenario(above, work, callers), scenario(below, work, callers));
        ratios.add(ratio.withTarget(target));
        ratios.add(ratio.of(Ratio.Figure.ALL_CPU));
    }
}
