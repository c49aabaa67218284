package dev.semel.bench;

import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;

/** A gateway under measurement: its process, its address, and the traffic that is sent to it. */
final class Gateway implements AutoCloseable {
    private static final int REPLAYED_KEYS = 1_000;
    /** The part of a measurement that is waited for before it begins. */
    private static final int SETTLING = 5;

    private static final Duration STARTING = Duration.ofSeconds(30);
    private static final long KNOCK_MILLIS = 50;

    private final String store;
    private final ChildJvm process;
    private final InetSocketAddress address;
    private final RequestSource passThrough = ChargeRequests.passThrough();
    private final RequestSource freshKeys = ChargeRequests.freshKeys();
    private final RequestSource replays = ChargeRequests.replays(REPLAYED_KEYS);

    private Gateway(String store, ChildJvm process, InetSocketAddress address) {
        this.store = store;
        this.process = process;
        this.address = address;
    }

    static Gateway start(GatewayLauncher launcher, String label, String storeUrl, String upstreamUrl)
            throws IOException, InterruptedException {
        int port = freePort();
        ChildJvm process = launcher.launch(storeUrl, port, upstreamUrl);
        Gateway gateway = new Gateway(label, process, new InetSocketAddress(NetUtil.LOCALHOST4, port));
        try {
            gateway.awaitListening();
            return gateway;
        } catch (IOException | InterruptedException e) {
            gateway.close();
            throw e;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, NetUtil.LOCALHOST4)) {
            return socket.getLocalPort();
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
                if (hopeless) throw new IOException("The gateway on " + store + " does not listen.", e);
                Thread.sleep(KNOCK_MILLIS);
            }
        }
    }

    String store() {
        return store;
    }

    /** Lets the gateway compile what is hot, and uses every key once that is to be replayed. */
    void warmUp(int connections, Duration perWorkload) throws IOException, InterruptedException {
        for (Workload workload : Workload.values()) {
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
            Result result = load.measure(duration);
            return new Sample(result, process.cpuTime().minus(before));
        }
    }

    private RequestSource source(Workload workload) {
        return switch (workload) {
            case PASS_THROUGH -> passThrough;
            case FRESH_KEYS -> freshKeys;
            case REPLAYS -> replays;
        };
    }

    @Override
    public void close() {
        process.close();
    }
}
