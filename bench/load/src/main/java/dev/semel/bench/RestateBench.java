package dev.semel.bench;

import dev.semel.bench.report.Machine;
import dev.semel.bench.report.Ratio;
import dev.semel.bench.report.Report;
import dev.semel.bench.report.Sample;
import dev.semel.bench.report.Scenario;
import dev.semel.bench.report.Series;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The gateway beside Restate: the same trivial operation behind both, and a key with every request. */
public final class RestateBench {
    private static final String DEFAULTS = "restate";
    private static final String TUNED = "restate, 2 partitions";
    private static final String GATEWAY = "semel";
    private static final String GATEWAY_ON_NODE = "semel, Node upstream";
    private static final int FEW_PARTITIONS = 2;

    private final Options options;
    private final GatewayLauncher launcher;
    private final PrintStream progress;
    private final Machine machine = Machine.here();

    /**
     * What to measure.
     *
     * @param home the folder that {@code scripts/restate.sh} prints
     * @param folder an empty one, for all that is written
     */
    public record Options(Path home, Path folder, List<Integer> connections, Rounds.Plan plan) {}

    private RestateBench(Options options, GatewayLauncher launcher, PrintStream progress) {
        this.options = options;
        this.launcher = launcher;
        this.progress = progress;
    }

    /**
     * Runs the benchmark. Every process that it started is gone when it returns.
     *
     * @throws Tool.MissingException when there is no Restate in that folder, or no Node on the PATH
     */
    public static Report run(Options options, GatewayLauncher launcher, PrintStream progress)
            throws IOException, InterruptedException {
        RestateServer.binary(options.home());
        return new RestateBench(options, launcher, progress).run();
    }

    private Report run() throws IOException, InterruptedException {
        List<MeasuredServer> servers = new ArrayList<>();
        try (NodeCharges node =
                        NodeCharges.start(options.home(), options.folder().resolve("node"));
                UpstreamProcess upstream = UpstreamProcess.start()) {
            servers.add(RestateServer.start(
                    DEFAULTS, options.home(), options.folder().resolve("restate"), node, 0));
            servers.add(RestateServer.start(
                    TUNED, options.home(), options.folder().resolve("restate-2"), node, FEW_PARTITIONS));
            servers.add(gateway(GATEWAY, upstream.url(), upstream.process()));
            servers.add(gateway(GATEWAY_ON_NODE, node.plainUrl(), node.process()));
            GatewayBench.warmUp(servers, options.connections(), options.plan(), progress);
            return report(measure(servers, node));
        } finally {
            servers.forEach(MeasuredServer::close);
        }
    }

    private MeasuredServer gateway(String label, String upstream, ChildProcess behind)
            throws IOException, InterruptedException {
        String folder = label.equals(GATEWAY) ? "semel" : "semel-node";
        GatewayBench.Store store =
                new GatewayBench.Store(label, "rocksdb:" + options.folder().resolve(folder), behind.pid());
        return GatewayBench.start(launcher, store, upstream).without(Workload.PASS_THROUGH);
    }

    private List<Series> measure(List<MeasuredServer> servers, NodeCharges node)
            throws IOException, InterruptedException {
        Rounds rounds = new Rounds(options.plan(), progress);
        for (int count : options.connections()) {
            for (MeasuredServer server : servers) {
                for (Workload workload : server.workloads())
                    rounds.add(
                            new Scenario(server.label(), workload.toString(), count),
                            time -> checked(server, workload, count, time, node));
            }
        }
        return rounds.run();
    }

    /** A replay that ran the operation again is none, whatever it looks like. */
    private static Sample checked(
            MeasuredServer server, Workload workload, int connections, Duration time, NodeCharges node)
            throws IOException, InterruptedException {
        long before = node.runsAtRest();
        Sample sample = server.measure(workload, connections, time);
        long ran = node.runs() - before;
        boolean wrong = workload == Workload.REPLAYS && ran > 0;
        return wrong ? sample.withErrors(ran, "a replay ran the operation") : sample;
    }

    private Report report(List<Series> series) {
        return new Report(
                "restate",
                "The gateway beside Restate",
                "./semel bench restate",
                Instant.now(),
                machine,
                "handler",
                series,
                ratios(),
                List.of(),
                List.of(
                        "Both answer when the outcome is durable: Restate syncs its log by default, Semel runs RocksDB"
                                + " with durability=sync. Both are one node.",
                        "Restate does more: it keeps a journal of every invocation, can resume a handler in the middle,"
                                + " and retries it. It speaks HTTP/2 to a handler that needs its SDK.",
                        "Semel does more: it compares a fingerprint of what was asked, fences, keeps the answer's"
                                + " headers and marks replays. It speaks HTTP/1.1 to any server.",
                        "The handler is one Node process for both servers of Restate, and for '" + GATEWAY_ON_NODE
                                + "'; '" + GATEWAY
                                + "' has the upstream of the other benchmarks. 'handler' is its CPU.",
                        "Figures of this set-up: a handler in another language, or more machines, would give others."));
    }

    private List<Ratio> ratios() {
        List<Ratio> ratios = new ArrayList<>();
        for (int count : options.connections()) {
            for (String ours : List.of(GATEWAY, GATEWAY_ON_NODE)) {
                for (String theirs : List.of(DEFAULTS, TUNED)) {
                    ratios.add(ratio(ours, theirs, Workload.FRESH_KEYS, count).withTarget(Targets.FRESH_TO_RESTATE));
                    ratios.add(ratio(ours, theirs, Workload.REPLAYS, count).withTarget(Targets.REPLAYS_TO_RESTATE));
                }
            }
        }
        return ratios;
    }

    private static Ratio ratio(String ours, String theirs, Workload workload, int count) {
        return Ratio.ofRates(
                workload + ", " + ours + " / " + theirs + " (" + count + ")",
                new Scenario(ours, workload.toString(), count),
                new Scenario(theirs, workload.toString(), count));
    }
}
