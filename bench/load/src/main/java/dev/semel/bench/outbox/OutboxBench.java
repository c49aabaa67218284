package dev.semel.bench.outbox;

import dev.semel.bench.ChildJvm;
import dev.semel.bench.Rounds;
import dev.semel.bench.Targets;
import dev.semel.bench.loop.LoopResult;
import dev.semel.bench.loop.LoopServer;
import dev.semel.bench.loop.Orders;
import dev.semel.bench.loop.OutboxServer;
import dev.semel.bench.outbox.OutboxCost.Spent;
import dev.semel.bench.report.Fact;
import dev.semel.bench.report.Machine;
import dev.semel.bench.report.Ratio;
import dev.semel.bench.report.Report;
import dev.semel.bench.report.Sample;
import dev.semel.bench.report.Scenario;
import dev.semel.bench.report.Series;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/**
 * Messages from their commit to the word of Kafka that it has them, through Semel and through other outboxes; and what the parts do
 * alone. Every process shares this machine: writers and relay in one, PostgreSQL, and Kafka.
 */
public final class OutboxBench {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final List<String> JVM = List.of(
            "-XX:+UseParallelGC",
            "-Xmx512m",
            "--enable-native-access=ALL-UNNAMED",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    private static final String CONNECTIONS = "32";
    private static final int PACED_BATCH = 10;
    private static final List<Integer> IDS = List.of(1, 500);

    private final Options options;
    private final PrintStream progress;
    private final Machine machine = Machine.here();
    private final OutboxCost cost;
    private final Map<String, SentTopic> topics = new LinkedHashMap<>();
    private final Map<String, Long> acknowledged = new LinkedHashMap<>();
    private final Map<String, String> seen = new LinkedHashMap<>();

    /** What can be measured. */
    public enum Part {
        /** From the commit to the broker's word, beside other outboxes. */
        RELAY,
        /** Appending alone. */
        APPEND,
        /** The inbox alone. */
        INBOX,
        /** The relay while somebody else has a transaction open for long. */
        BLOCKED
    }

    /** An outbox with its relay, as a program that takes its orders line by line; see {@link OutboxServer}. */
    public record Peer(String label, String classPath, String mainClass) {
        public static Peer ours() {
            return new Peer("semel", System.getProperty("java.class.path"), RelayPeer.class.getName());
        }
    }

    /**
     * What to measure.
     *
     * @param peers other outboxes
     * @param batches how many messages a transaction has, one after the other
     * @param perSecond the fixed rate at which latency is measured
     * @param blocked how long each measurement takes while somebody has a transaction open
     */
    public record Options(
            OutboxServers servers,
            List<Peer> peers,
            Set<Part> parts,
            int writers,
            List<Integer> batches,
            int perSecond,
            Duration blocked,
            Rounds.Plan plan) {
        public Options {
            peers = List.copyOf(peers);
            parts = Set.copyOf(parts);
            batches = List.copyOf(batches);
        }
    }

    private OutboxBench(Options options, PrintStream progress) {
        this.options = options;
        this.progress = progress;
        this.cost = new OutboxCost(options.servers());
    }

    /** Every process that it started is gone when it returns. */
    public static Report run(Options options, PrintStream progress)
            throws IOException, InterruptedException, SQLException, ExecutionException {
        return new OutboxBench(options, progress).run();
    }

    private Report run() throws IOException, InterruptedException, SQLException, ExecutionException {
        List<ChildJvm> children = new ArrayList<>();
        Rounds rounds = new Rounds(options.plan(), progress);
        try {
            if (options.parts().contains(Part.RELAY) || options.parts().contains(Part.BLOCKED))
                addOurs(rounds, children);
            if (options.parts().contains(Part.RELAY))
                for (Peer peer : options.peers()) addFloods(rounds, peer, relay(peer, children));
            if (options.parts().contains(Part.APPEND))
                for (int batch : options.batches()) addAppend(rounds, batch, children);
            if (options.parts().contains(Part.INBOX)) for (int ids : IDS) addInbox(rounds, ids, children);
            return report(rounds.run());
        } finally {
            children.forEach(ChildJvm::close);
            topics.values().forEach(SentTopic::close);
        }
    }

    private void addOurs(Rounds rounds, List<ChildJvm> children)
            throws IOException, InterruptedException, SQLException, ExecutionException {
        Peer ours = Peer.ours();
        ChildJvm child = relay(ours, children);
        if (options.parts().contains(Part.RELAY)) {
            addFloods(rounds, ours, child);
            Scenario paced =
                    new Scenario(ours.label(), options.perSecond() + " a second, " + a(PACED_BATCH), options.writers());
            rounds.add(paced, time -> relayed(paced, ours, child, "pace", PACED_BATCH, time));
        }
        if (options.parts().contains(Part.BLOCKED)) addBlocked(rounds, ours, child);
    }

    private void addFloods(Rounds rounds, Peer peer, ChildJvm child) {
        for (int batch : options.batches()) {
            Scenario scenario = flood(peer, batch);
            rounds.add(scenario, time -> relayed(scenario, peer, child, "flood", batch, time));
        }
    }

    private Scenario flood(Peer peer, int batch) {
        return new Scenario(peer.label(), a(batch), options.writers());
    }

    private static String a(int batch) {
        return batch + " a transaction";
    }

    private void addBlocked(Rounds rounds, Peer ours, ChildJvm child) {
        int batch = Collections.max(options.batches());
        Scenario free = blocked("nobody else");
        rounds.add(free, time -> relayed(free, ours, child, "flood", batch, options.blocked()));
        for (LongTransaction.Kind kind : LongTransaction.Kind.values()) {
            Scenario scenario = blocked(kind.label);
            rounds.add(scenario, time -> {
                try (LongTransaction open = LongTransaction.begin(kind, database(ours.label()))) {
                    Sample sample = relayed(scenario, ours, child, "flood", batch, options.blocked());
                    seen.put(kind.label, open.asOperatorsSeeIt());
                    return sample;
                } catch (SQLException e) {
                    throw new IOException(e);
                }
            });
        }
    }

    private Scenario blocked(String who) {
        return new Scenario(
                "semel, " + who,
                options.blocked().toSeconds() + " s, " + a(Collections.max(options.batches())),
                options.writers());
    }

    private void addAppend(Rounds rounds, int batch, List<ChildJvm> children)
            throws IOException, InterruptedException, SQLException {
        String name = "appends_" + batch;
        ChildJvm child = child(Peer.ours().classPath(), AppendPeer.class.getName(), name, batch, children);
        Scenario scenario = new Scenario("semel, append alone", a(batch), options.writers());
        rounds.add(scenario, time -> {
            Sample sample = counted(scenario, child, time);
            truncate(name);
            return sample;
        });
    }

    private void truncate(String name) throws IOException {
        try {
            OutboxServers.execute(database(name), "truncate semel.outbox");
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    private void addInbox(Rounds rounds, int ids, List<ChildJvm> children)
            throws IOException, InterruptedException, SQLException {
        ChildJvm child = child(Peer.ours().classPath(), InboxPeer.class.getName(), "inbox_" + ids, ids, children);
        Scenario scenario = new Scenario("semel, inbox", ids + " ids a transaction", options.writers());
        rounds.add(scenario, time -> counted(scenario, child, time));
    }

    private ChildJvm relay(Peer peer, List<ChildJvm> children)
            throws IOException, InterruptedException, SQLException, ExecutionException {
        String topic = Orders.TOPIC + peer.label();
        topics.put(peer.label(), SentTopic.create(options.servers().kafka(), topic));
        acknowledged.put(peer.label(), 0L);
        String url = options.servers().newDatabase(peer.label());
        ChildJvm child = start(
                peer.classPath(),
                peer.mainClass(),
                List.of(url, CONNECTIONS, options.servers().kafka(), topic),
                children);
        progress.println("warming up " + peer.label());
        for (int batch : options.batches())
            ask(
                    child,
                    "flood " + options.writers() + " " + batch + " "
                            + warmUp(options.batches().size()));
        return child;
    }

    private ChildJvm child(String classPath, String main, String name, int batch, List<ChildJvm> children)
            throws IOException, InterruptedException, SQLException {
        String url = options.servers().newDatabase(name);
        ChildJvm child = start(classPath, main, List.of(url, CONNECTIONS, Integer.toString(batch)), children);
        progress.println("warming up " + name);
        ask(child, "fresh " + options.writers() + " " + warmUp(2));
        return child;
    }

    private static ChildJvm start(String classPath, String main, List<String> arguments, List<ChildJvm> children)
            throws IOException, InterruptedException {
        ChildJvm child = ChildJvm.start(classPath, JVM, main, arguments);
        children.add(child);
        child.awaitLine(LoopServer.READY, PATIENCE);
        return child;
    }

    private long warmUp(int shares) {
        return Math.max(100, options.plan().warmUp().toMillis() / shares);
    }

    private String database(String name) {
        return options.servers().database().apply(name);
    }

    private record Reply(long count, LoopResult result) {}

    private static Reply ask(ChildJvm child, String line) throws IOException, InterruptedException {
        String[] answer = child.ask(line, LoopServer.LOOPED, PATIENCE)
                .substring(LoopServer.LOOPED.length())
                .split(" ", 2);
        return new Reply(Long.parseLong(answer[0]), LoopResult.parse(answer[1]));
    }

    /** What it cost is divided by all messages that were sent, also those that were still under way at the end of the time. */
    private Sample relayed(Scenario scenario, Peer peer, ChildJvm child, String how, int batch, Duration time)
            throws IOException, InterruptedException {
        String line = how + " " + options.writers() + " " + batch + " " + time.toMillis() + " " + options.perSecond();
        Spent before = spent(child, acknowledged.getOrDefault(peer.label(), 0L));
        Reply reply = ask(child, line);
        Spent spent = spent(child, reply.count()).minus(before);
        acknowledged.put(peer.label(), reply.count());
        cost.add(scenario, spent);
        Sample sample = sample(reply.result(), reply.result().perSecond(), spent);
        SentTopic topic = topics.get(peer.label());
        long missing = topic == null ? 0 : topic.missing(reply.count());
        return missing == 0 ? sample : sample.withErrors(missing, missing + " messages are not in Kafka");
    }

    /** A loop that counts messages or ids, of which each of its operations has several. */
    private Sample counted(Scenario scenario, ChildJvm child, Duration time) throws IOException, InterruptedException {
        Spent before = spent(child, 0);
        Reply reply = ask(child, "fresh " + options.writers() + " " + time.toMillis());
        Spent spent = spent(child, reply.count()).minus(before);
        cost.add(scenario, spent);
        return sample(reply.result(), reply.count() / reply.result().seconds(), spent);
    }

    private Spent spent(ChildJvm child, long messages) throws IOException {
        try {
            return cost.now(child, messages);
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    private static Sample sample(LoopResult result, double perSecond, Spent spent) {
        return new Sample(
                perSecond,
                result.p50().toNanos() / 1e6,
                result.p99().toNanos() / 1e6,
                spent.program().toNanos() / 1e3 / spent.messages(),
                spent.behind().toNanos() / 1e3 / spent.messages(),
                result.errors(),
                result.firstError());
    }

    private Report report(List<Series> series) {
        List<Fact> facts = new ArrayList<>(cost.facts());
        topics.forEach((who, topic) ->
                facts.add(new Fact("messages that came to Kafka more than once, " + who, topic.repeated(), "")));
        return new Report(
                "outbox",
                "Outboxes: from the commit to Kafka's word",
                "./semel bench outbox",
                Instant.now(),
                machine,
                "PostgreSQL and Kafka",
                series,
                ratios(),
                facts,
                notes());
    }

    private List<Ratio> ratios() {
        List<Ratio> ratios = new ArrayList<>();
        Peer ours = Peer.ours();
        if (options.parts().contains(Part.RELAY))
            for (int batch : options.batches())
                for (Peer peer : options.peers()) {
                    Ratio ratio = Ratio.ofRates(
                            "semel / " + peer.label() + " (" + a(batch) + ")", flood(ours, batch), flood(peer, batch));
                    ratios.add(ratio.withTarget(Targets.OUTBOX_TO_PEER));
                    ratios.add(ratio.of(Ratio.Figure.ALL_CPU));
                }
        if (options.parts().contains(Part.BLOCKED))
            for (LongTransaction.Kind kind : LongTransaction.Kind.values())
                ratios.add(Ratio.ofRates(kind.label + " / nobody else", blocked(kind.label), blocked("nobody else")));
        return ratios;
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(List.of(
                "A message has " + Orders.BYTES + " bytes and one of " + Orders.KEYS + " keys. " + options.writers()
                        + " writers append as soon as fewer than " + OutboxServer.MOST_UNDER_WAY
                        + " messages are under way; ops/s are messages that the broker has acknowledged, latency is"
                        + " from the commit to then. fsync and synchronous_commit are on; Kafka is one node, without"
                        + " fsync, as it is by default. After each measurement everything that was acknowledged is"
                        + " read from Kafka.",
                "At a fixed rate all messages count, also those that are late; the writers do not wait for the relay.",
                "semel: an outbox and a relay in one process, with their defaults: a transaction of Kafka for each"
                    + " shipment of each of 16 shards, which fences a relay that was taken for dead; order per key.",
                "Each outbox has a JVM with ParallelGC and " + CONNECTIONS
                        + " connections, and a database of its own on the" + " same server."));
        if (!options.peers().isEmpty() && options.parts().contains(Part.RELAY))
            notes.addAll(List.of(
                    "gruelbox transaction-outbox 4.2.268 (the newest that could be had): a method call for each"
                        + " message, run after the commit by 24 threads; each is a transaction that locks, sends,"
                        + " waits for Kafka and deletes. Inserts are batched and rewritten by the driver. No order.",
                    "namastack-outbox 1.6.0 (the newest that could be had) on Spring Boot 4, set up as the best run of"
                        + " its own documentation: virtual threads, 30 at once, 800 keys a look, a look every 25 ms;"
                        + " done records are deleted. Its Kafka module could not be had; the handler sends as that"
                        + " does, and waits. Order per key.",
                    "Both send with an idempotent producer without linger, which all their threads share."));
        seen.forEach((who, what) -> notes.add("With the " + who + " operators saw: " + what + "."));
        return notes;
    }
}
