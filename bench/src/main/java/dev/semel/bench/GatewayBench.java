package dev.semel.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The macro benchmark: what idempotency costs in a gateway, next to the same gateway that only forwards, on the same
 * machine and in the same minutes. An upstream and one gateway per store run as processes of their own; the rounds go
 * over all of them in turn, so that a busy neighbour hits all alike.
 */
public final class GatewayBench {
    private static final String LISTENING = "listening ";
    private static final Duration STARTING = Duration.ofSeconds(30);

    private final Options options;
    private final PrintStream progress;
    private final double loadBefore =
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();

    /**
     * What to measure.
     *
     * @param stores one gateway is started for each of these store URLs
     * @param connections how many clients ask at the same time; each number is a block of the table
     * @param rounds how often everything is measured
     * @param perRound how long one measurement takes
     * @param warmUp how long each gateway gets each kind of traffic before the first round
     */
    public record Options(
            List<String> stores, List<Integer> connections, int rounds, Duration perRound, Duration warmUp) {

        public Options {
            if (stores.isEmpty() || connections.isEmpty()) throw new IllegalArgumentException("Nothing to measure.");
            if (rounds < 1 || !perRound.isPositive()) throw new IllegalArgumentException("No time to measure.");
        }

        /** Under four minutes for up to three stores. */
        public static Options of(List<String> stores) {
            return new Options(stores, List.of(64, 256), 4, Duration.ofSeconds(2), Duration.ofSeconds(3));
        }
    }

    private GatewayBench(Options options, PrintStream progress) {
        this.options = options;
        this.progress = progress;
    }

    /**
     * Runs the benchmark and prints its table. Every process that it started is gone when it returns.
     *
     * @param progress gets a line for every measurement
     * @return the number of errors; with any, the table is not to be trusted
     */
    public static long run(Options options, GatewayLauncher launcher, PrintStream out, PrintStream progress)
            throws IOException, InterruptedException {
        Table table = new GatewayBench(options, progress).measure(launcher);
        table.print(out);
        return table.errors();
    }

    private Table measure(GatewayLauncher launcher) throws IOException, InterruptedException {
        if (loadBefore > Runtime.getRuntime().availableProcessors() / 2.0)
            progress.printf(Locale.ROOT, "The machine is busy (load %.1f): expect noise.%n", loadBefore);
        List<Gateway> gateways = new ArrayList<>();
        try (ChildJvm upstream = ChildJvm.start(
                List.of("--enable-native-access=ALL-UNNAMED"),
                UpstreamServer.class.getName(),
                List.of("--port", "0"))) {
            String port = upstream.awaitLine(LISTENING, STARTING).substring(LISTENING.length());
            for (String store : options.stores())
                gateways.add(Gateway.start(launcher, label(store, gateways), store, "http://127.0.0.1:" + port));
            warmUp(gateways);
            return measure(gateways);
        } finally {
            gateways.forEach(Gateway::close);
        }
    }

    /** The kind of store, numbered if need be; the rest of a URL is long and may hold a password. */
    private static String label(String storeUrl, List<Gateway> others) {
        String url = storeUrl.startsWith("jdbc:") ? storeUrl.substring("jdbc:".length()) : storeUrl;
        String kind = url.substring(0, (url + ":").indexOf(':'));
        String label = kind;
        for (int i = 2; isTaken(label, others); i++) label = kind + "-" + i;
        return label;
    }

    private static boolean isTaken(String label, List<Gateway> others) {
        return others.stream().anyMatch(gateway -> gateway.store().equals(label));
    }

    private void warmUp(List<Gateway> gateways) throws IOException, InterruptedException {
        int most = options.connections().stream().reduce(1, Math::max);
        for (Gateway gateway : gateways) {
            progress.println("warming up " + gateway.store());
            gateway.warmUp(most, options.warmUp());
        }
    }

    private Table measure(List<Gateway> gateways) throws IOException, InterruptedException {
        Table table = new Table(options.connections(), gateways, loadBefore);
        for (int round = 0; round < options.rounds(); round++) {
            for (int connections : options.connections()) {
                for (Gateway gateway : gateways) measure(round, connections, gateway, table);
            }
        }
        return table;
    }

    private void measure(int round, int connections, Gateway gateway, Table table)
            throws IOException, InterruptedException {
        Workload[] workloads = Workload.values();
        for (int i = 0; i < workloads.length; i++) {
            // Each round begins with another one, so that none always profits from what ran before it.
            Workload workload = workloads[(round + i) % workloads.length];
            Sample sample = gateway.measure(workload, connections, options.perRound());
            table.add(connections, gateway, workload, sample);
            progress.printf(
                    Locale.ROOT,
                    "round %d of %d  %-12s %4d connections  %-12s %,9.0f/s  p99 %.1f ms%s%n",
                    round + 1,
                    options.rounds(),
                    gateway.store(),
                    connections,
                    workload,
                    sample.perSecond(),
                    sample.p99Millis(),
                    sample.result().errors() == 0
                            ? ""
                            : "  ERRORS: " + sample.result().firstError());
        }
    }
}
