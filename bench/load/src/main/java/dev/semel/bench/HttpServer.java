package dev.semel.bench;

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
public final class HttpServer implements AutoCloseable {
    /** How many keys are used again and again. */
    public static final int REPLAYED_KEYS = 1_000;

    /** The part of a measurement that is waited for before it begins. */
    private static final int SETTLING = 5;

    private static final Duration STARTING = Duration.ofSeconds(60);
    private static final long KNOCK_MILLIS = 20;

    private final String label;
    private final ChildProcess process;
    private final List<Long> behind = new ArrayList<>();
    private final InetSocketAddress address;
    private final Map<Workload, RequestSource> sources = new LinkedHashMap<>();

    private HttpServer(String label, ChildProcess process, int port) {
        this.label = label;
        this.process = process;
        this.address = new InetSocketAddress(NetUtil.LOCALHOST4, port);
    }

    /** Waits until the process listens on this port of the loopback address. Ends it if it does not. */
    static HttpServer await(String label, ChildProcess process, int port) throws IOException, InterruptedException {
        HttpServer server = new HttpServer(label, process, port);
        try {
            server.awaitListening();
            return server;
        } catch (IOException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    private void awaitListening() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + STARTING.toNanos();
        while (true) {
            try (Socket knock = new Socket()) {
                knock.connect(address, (int) STARTING.toMillis());
                return;
            } catch (IOException e) {
                boolean hopeless = !process.isAlive() || System.nanoTime() - deadline > 0;
                if (hopeless) throw new IOException(label + " does not listen:\n" + process.printed(), e);
                Thread.sleep(KNOCK_MILLIS);
            }
        }
    }

    HttpServer takes(Workload workload, RequestSource source) {
        sources.put(workload, source);
        return this;
    }

    /** Takes no other kind of traffic than this. */
    HttpServer only(Workload workload) {
        sources.keySet().retainAll(List.of(workload));
        return this;
    }

    HttpServer without(Workload workload) {
        sources.remove(workload);
        return this;
    }

    /** A process that works for the server, such as its database. */
    HttpServer behind(long pid) {
        behind.add(pid);
        return this;
    }

    String label() {
        return label;
    }

    List<Workload> workloads() {
        return List.copyOf(sources.keySet());
    }

    /** Lets the server compile what is hot, and uses every key once that is to be replayed. */
    void warmUp(int connections, Duration perWorkload) throws IOException, InterruptedException {
        for (Workload workload : workloads()) {
            try (LoadGenerator load = LoadGenerator.start(address, connections, source(workload))) {
                long answers = 0;
                do {
                    Result result = load.measure(perWorkload);
                    answers += result.requests() + result.errors();
                } while (workload == Workload.REPLAYS && answers < 2 * REPLAYED_KEYS);
            }
        }
    }

    Sample measure(Workload workload, int connections, Duration duration) throws IOException, InterruptedException {
        try (LoadGenerator load = LoadGenerator.start(address, connections, source(workload))) {
            load.measure(duration.dividedBy(SETTLING));
            Duration before = process.cpuTime();
            Duration behindBefore = behindTime();
            Result result = load.measure(duration);
            return result.sample(process.cpuTime().minus(before), behindTime().minus(behindBefore));
        }
    }

    private Duration behindTime() {
        return behind.stream().map(ProcessCpu::of).reduce(Duration.ZERO, Duration::plus);
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
