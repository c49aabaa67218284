package dev.semel.bench;

import dev.semel.bench.loop.LoopResult;
import dev.semel.bench.report.Sample;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;

/** What the load generator itself costs: it runs straight against the upstream, with nothing in between. */
public final class LoadGeneratorCost {
    private static final Duration WARM_UP = Duration.ofSeconds(4);
    private static final Duration ROUND = Duration.ofSeconds(3);
    private static final int ROUNDS = 3;

    private LoadGeneratorCost() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        try (UpstreamProcess upstream = UpstreamProcess.start()) {
            for (int connections : new int[] {64, 256}) measure(upstream, connections);
        }
    }

    private static void measure(UpstreamProcess upstream, int connections) throws IOException, InterruptedException {
        InetSocketAddress target = new InetSocketAddress(NetUtil.LOCALHOST4, upstream.port());
        try (LoadGenerator generator = LoadGenerator.start(target, connections, ChargeRequests.freshKeys())) {
            generator.measure(WARM_UP);
            for (int round = 0; round < ROUNDS; round++) {
                Duration before = ProcessCpu.own();
                Duration upstreamBefore = upstream.process().cpuTime();
                LoopResult result = generator.measure(ROUND);
                Sample sample = Sample.of(
                        result,
                        ProcessCpu.own().minus(before),
                        upstream.process().cpuTime().minus(upstreamBefore));
                System.out.printf(
                        Locale.ROOT,
                        "%d connections: %,.0f requests/s, generator %.1f us CPU per request, upstream %.1f, %d"
                                + " errors%n",
                        connections,
                        sample.perSecond(),
                        sample.cpuMicros(),
                        sample.behindMicros(),
                        sample.errors());
            }
        }
    }
}
