package dev.semel.bench;

import dev.semel.bench.loop.LoopResult;
import dev.semel.bench.report.Sample;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A server under measurement: its process, its address, what stands behind it, and the traffic that is sent to it. */
public final class MeasuredServer implements AutoCloseable {
    /** How many keys are used again and again. */
    public static final int REPLAYED_KEYS = 1_000;

    /** Load runs for this part of the time before we measure. */
    private static final int SETTLING_PART = 5;

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final long KNOCK_MILLIS = 20;

    private final String label;
    private final ChildProcess process;
    private final List<Long> pidsBehind = new ArrayList<>();
    private final InetSocketAddress address;
    private final Map<Workload, RequestSource> sources = new LinkedHashMap<>();

    private MeasuredServer(String label, ChildProcess process, int port) {
        this.label = label;
        this.process = process;
        this.address = new InetSocketAddress(NetUtil.LOCALHOST4, port);
    }

    /** Waits until the process listens on this port of the loopback address. Ends it if it does not. */
    static MeasuredServer await(String label, ChildProcess process, int port) throws IOException, InterruptedException {
        MeasuredServer server = new MeasuredServer(label, process, port);
        try {
            server.awaitListening();
            return server;
        } catch (IOException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    private void awaitListening() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        while (true) {
            try (Socket knock = new Socket()) {
                knock.connect(address, (int) START_TIMEOUT.toMillis());
                return;
            } catch (IOException e) {
                boolean hopeless = !process.isAlive() || System.nanoTime() - deadline > 0;
                if (hopeless) throw new IOException(label + " does not listen:\n" + process.printed(), e);
                Thread.sleep(KNOCK_MILLIS);
            }
        }
    }

    MeasuredServer takes(Workload workload, RequestSource source) {
        sources.put(workload, source);
        return this;
    }

    /** Takes no other kind of traffic than this. */
    MeasuredServer only(Workload workload) {
        sources.keySet().retainAll(List.of(workload));
        return this;
    }

    MeasuredServer without(Workload workload) {
        sources.remove(workload);
        return this;
    }

    /** A process that works for the server, such as its database. */
    MeasuredServer behind(long pid) {
        pidsBehind.add(pid);
        return this;
    }

    String label() {
        return label;
    }

    List<Workload> workloads() {
        return List.copyOf(sources.keySet());
    }

    /** Lets the server compile its hot code, and uses every key once that is replayed later. */
    void warmUp(int connections, Duration perWorkload) throws IOException, InterruptedException {
        for (Workload workload : workloads()) {
            try (LoadGenerator load = LoadGenerator.start(address, connections, source(workload))) {
                long answers = 0;
                do {
                    LoopResult result = load.measure(perWorkload);
                    answers += result.operations() + result.errors();
                } while (workload == Workload.REPLAYS && answers < 2 * REPLAYED_KEYS);
            }
        }
    }

    Sample measure(Workload workload, int connections, Duration duration) throws IOException, InterruptedException {
        try (LoadGenerator load = LoadGenerator.start(address, connections, source(workload))) {
            load.measure(duration.dividedBy(SETTLING_PART));
            Duration before = process.cpuTime();
            Duration behindBefore = cpuTimeBehind();
            LoopResult result = load.measure(duration);
            return Sample.of(
                    result, process.cpuTime().minus(before), cpuTimeBehind().minus(behindBefore));
        }
    }

    private Duration cpuTimeBehind() {
        return pidsBehind.stream().map(ProcessCpu::of).reduce(Duration.ZERO, Duration::plus);
    }

    private RequestSource source(Workload workload) {
        RequestSource source = sources.get(workload);
        if (source == null) throw new IllegalArgumentException(label + " does not take " + workload);
        return source;
    }

    @Override
    public void close() {
        process.close();
    }
}
