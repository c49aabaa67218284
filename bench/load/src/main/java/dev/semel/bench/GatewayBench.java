package dev.semel.bench;

import dev.semel.bench.report.Machine;
import dev.semel.bench.report.Ratio;
import dev.semel.bench.report.Report;
import dev.semel.bench.report.Scenario;
import dev.semel.bench.report.Series;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The macro benchmark: what idempotency costs in a gateway, next to the same gateway that only forwards and to nginx, on
 * the same machine and in the same minutes. An upstream, nginx and one gateway per store run as processes of their own.
 */
public final class GatewayBench {
    private final Options options;
    private final GatewayLauncher launcher;
    private final PrintStream progress;
    private final Machine machine = Machine.here();

    /**
     * A store that a gateway is measured on.
     *
     * @param label how it is called in the table; an URL is long and may hold a password
     * @param databasePid the process that works for it, whose time is counted apart; 0 when there is none
     */
    public record Store(String label, String url, long databasePid) {}

    /**
     * What to measure.
     *
     * @param stores one gateway is started for each
     * @param connections how many clients ask at the same time; each number is a block of the table
     * @param nginxFolder where nginx may write; null to leave it out
     */
    public record Options(
            List<Store> stores,
            List<Integer> connections,
            Rounds.Plan plan,
            @Nullable Path nginxFolder) {

        public Options {
            if (stores.isEmpty() || connections.isEmpty()) throw new IllegalArgumentException("Nothing to measure.");
        }
    }

    private GatewayBench(Options options, GatewayLauncher launcher, PrintStream progress) {
        this.options = options;
        this.launcher = launcher;
        this.progress = progress;
    }

    /**
     * Runs the benchmark. Every process that it started is gone when it returns.
     *
     * @param progress gets a line for every measurement
     */
    public static Report run(Options options, GatewayLauncher launcher, PrintStream progress)
            throws IOException, InterruptedException {
        return new GatewayBench(options, launcher, progress).run();
    }

    /**
     * Fresh keys alone, on some stores in turns.
     *
     * @param startMillis how long each gateway took until it listened, in the order of the stores
     */
    public record FreshKeys(List<Series> series, List<Double> startMillis) {}

    /** Measures fresh keys through gateways on these stores. */
    public static FreshKeys freshKeys(
            List<Store> stores, int connections, Rounds.Plan plan, GatewayLauncher launcher, PrintStream progress)
            throws IOException, InterruptedException {
        List<MeasuredServer> servers = new ArrayList<>();
        List<Double> startMillis = new ArrayList<>();
        try (UpstreamProcess upstream = UpstreamProcess.start()) {
            for (Store store : stores) {
                long begin = System.nanoTime();
                servers.add(start(launcher, store, upstream.url()).only(Workload.FRESH_KEYS));
                startMillis.add((System.nanoTime() - begin) / 1e6);
            }
            warmUp(servers, List.of(connections), plan, progress);
            return new FreshKeys(measure(servers, List.of(connections), plan, progress), startMillis);
        } finally {
            servers.forEach(MeasuredServer::close);
        }
    }

    private Report run() throws IOException, InterruptedException {
        List<MeasuredServer> servers = new ArrayList<>();
        try (UpstreamProcess upstream = UpstreamProcess.start()) {
            Path nginxFolder = options.nginxFolder();
            if (nginxFolder != null) servers.add(Nginx.start(nginxFolder, upstream.port()));
            for (Store store : options.stores()) servers.add(start(launcher, store, upstream.url()));
            warmUp(servers, options.connections(), options.plan(), progress);
            return report(measure(servers, options.connections(), options.plan(), progress));
        } finally {
            servers.forEach(MeasuredServer::close);
        }
    }

    static MeasuredServer start(GatewayLauncher launcher, Store store, String upstream)
            throws IOException, InterruptedException {
        int port = FreePort.pick();
        MeasuredServer server = MeasuredServer.await(store.label(), launcher.launch(store.url(), port, upstream), port)
                .takes(Workload.PASS_THROUGH, ChargeRequests.passThrough())
                .takes(Workload.FRESH_KEYS, ChargeRequests.freshKeys())
                .takes(Workload.REPLAYS, ChargeRequests.replays(MeasuredServer.REPLAYED_KEYS));
        return store.databasePid() == 0 ? server : server.behind(store.databasePid());
    }

    static void warmUp(List<MeasuredServer> servers, List<Integer> connections, Rounds.Plan plan, PrintStream progress)
            throws IOException, InterruptedException {
        int most = connections.stream().reduce(1, Math::max);
        for (MeasuredServer server : servers) {
            progress.println("warming up " + server.label());
            server.warmUp(most, plan.warmUp());
        }
    }

    static List<Series> measure(
            List<MeasuredServer> servers, List<Integer> connections, Rounds.Plan plan, PrintStream progress)
            throws IOException, InterruptedException {
        Rounds rounds = new Rounds(plan, progress);
        for (int count : connections) {
            for (MeasuredServer server : servers) {
                for (Workload workload : server.workloads())
                    rounds.add(
                            new Scenario(server.label(), workload.toString(), count),
                            time -> server.measure(workload, count, time));
            }
        }
        return rounds.run();
    }

    private Report report(List<Series> series) {
        return new Report(
                "gateway",
                "The gateway beside nginx, and beside itself without keys",
                "./semel bench gateway",
                Instant.now(),
                machine,
                options.stores().stream().anyMatch(store -> store.databasePid() != 0) ? "database" : "",
                series,
                ratios(),
                List.of(),
                List.of(
                        "pass-through: the gateway forwards a POST without a key. It reads and checks every byte of the"
                                + " request and of the answer before it passes them on; nginx does less.",
                        "fresh keys: two durable writes around the upstream call. replays: no upstream call, one read.",
                        "Client, gateway, upstream and database share this machine; same upstream and client for"
                                + " all."));
    }

    private List<Ratio> ratios() {
        List<Ratio> ratios = new ArrayList<>();
        for (int count : options.connections()) {
            Scenario nginx = new Scenario("nginx", Workload.PASS_THROUGH.toString(), count);
            for (Store store : options.stores()) {
                Scenario passed = new Scenario(store.label(), Workload.PASS_THROUGH.toString(), count);
                Scenario fresh = new Scenario(store.label(), Workload.FRESH_KEYS.toString(), count);
                Scenario replayed = new Scenario(store.label(), Workload.REPLAYS.toString(), count);
                String where = " (" + store.label() + ", " + count + ")";
                boolean first = store.equals(options.stores().getFirst());
                if (options.nginxFolder() != null && first)
                    ratios.add(Ratio.ofRates("pass-through / nginx" + where, passed, nginx)
                            .withTarget(Targets.PASS_THROUGH_TO_NGINX));
                ratios.add(Ratio.ofRates("fresh keys / pass-through" + where, fresh, passed)
                        .withTarget(target(store, count, Targets.freshToPassThrough(count), Targets.FRESH_ON_REDIS)));
                ratios.add(Ratio.ofRates("replays / pass-through" + where, replayed, passed)
                        .withTarget(target(store, count, Targets.REPLAYS_TO_PASS_THROUGH, Targets.REPLAYS_ON_REDIS)));
            }
        }
        return ratios;
    }

    private static double target(Store store, int connections, double embedded, double onRedis) {
        if (store.databasePid() == 0) return embedded;
        return store.label().equals("redis") && connections >= Targets.MANY ? onRedis : Double.NaN;
    }
}
