package dev.semel.bench;

import io.netty.util.NetUtil;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What the load generator itself costs: it runs straight against the upstream, with nothing in between. */
public final class GeneratorCost {
    private static final Duration WARM_UP = Duration.ofSeconds(4);
    private static final Duration ROUND = Duration.ofSeconds(3);
    private static final int ROUNDS = 3;

    private GeneratorCost() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        try (ChildJvm upstream = ChildJvm.start(List.of(), UpstreamServer.class.getName(), List.of("--port", "0"))) {
            String line = upstream.awaitLine("listening ", Duration.ofSeconds(20));
            int port = Integer.parseInt(line.substring("listening ".length()));
            for (int connections : new int[] {64, 256}) {
                measure(new InetSocketAddress(NetUtil.LOCALHOST4, port), connections, upstream, System.out);
            }
        }
    }

    private static void measure(InetSocketAddress target, int connections, ChildJvm upstream, PrintStream out)
            throws IOException, InterruptedException {
        try (LoadGenerator generator = LoadGenerator.start(target, connections, ChargeRequests.freshKeys())) {
            generator.measure(WARM_UP);
            for (int round = 0; round < ROUNDS; round++) {
                Duration before = ownCpuTime();
                Duration upstreamBefore = upstream.cpuTime();
                Result result = generator.measure(ROUND);
                double own = ownCpuTime().minus(before).toNanos() / 1e3 / result.requests();
                double theirs = upstream.cpuTime().minus(upstreamBefore).toNanos() / 1e3 / result.requests();
                out.printf(
                        Locale.ROOT,
                        "%d connections: %,.0f requests/s, generator %.1f us CPU per request, upstream %.1f, %d"
                                + " errors%n",
                        connections,
                        result.perSecond(),
                        own,
                        theirs,
                        result.errors());
            }
        }
    }

    private static Duration ownCpuTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
