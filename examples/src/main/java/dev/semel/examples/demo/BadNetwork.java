package dev.semel.examples.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * A TCP proxy that behaves like the worst of networks: by chance it loses answers, delays them, cuts requests, and
 * passes the rest. It knows nothing of HTTP but that a client asks, then waits for the answer, then may ask again.
 *
 * <p>What happens to the first, second or third request with a key depends on the seed and the key alone. So two networks
 * with the same seed do the same to the same payments.
 */
final class BadNetwork implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final int CONNECT_MILLIS = 2000;

    private final ServerSocket entrance;
    private final InetSocketAddress target;
    private final long seed;
    private final Traffic traffic = new Traffic();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile FaultRates faultRates;

    private BadNetwork(ServerSocket entrance, InetSocketAddress target, FaultRates faultRates, long seed) {
        this.entrance = entrance;
        this.target = target;
        this.faultRates = faultRates;
        this.seed = seed;
    }

    static BadNetwork inFrontOf(URI target, FaultRates faultRates, long seed) throws IOException {
        ServerSocket entrance = new ServerSocket(0, BACKLOG, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        InetSocketAddress address = new InetSocketAddress(target.getHost(), target.getPort());
        BadNetwork network = new BadNetwork(entrance, address, faultRates, seed);
        network.threads.execute(network::accept);
        return network;
    }

    /** Where clients connect to. */
    URI url() {
        return URI.create("http://127.0.0.1:" + entrance.getLocalPort());
    }

    Traffic traffic() {
        return traffic;
    }

    /** For requests that begin from now on. */
    void change(FaultRates next) {
        faultRates = next;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = entrance.accept();
                threads.execute(() -> forward(client));
            }
        } catch (IOException | RejectedExecutionException closed) {
            // The network goes down: the end.
        }
    }

    private void forward(Socket client) {
        try (client;
                Socket server = new Socket()) {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(target, CONNECT_MILLIS);
            ProxiedConnection conversation = new ProxiedConnection(client, server, this::draw, traffic);
            threads.execute(conversation::forwardAnswers);
            conversation.forwardRequests();
        } catch (IOException | RejectedExecutionException broken) {
            // A side hung up, or nobody listens at the target; closing both is all a network does about it.
        }
    }

    private ProxiedConnection.PlannedFault draw(String key, int number) {
        FaultRates now = faultRates;
        SplittableRandom plan = new SplittableRandom(seed ^ 0x9E37_79B9_7F4A_7C15L * (31L * key.hashCode() + number));
        return new ProxiedConnection.PlannedFault(now.draw(plan), now.lateness());
    }

    /** Cuts every connection; no thread is left. */
    @Override
    public void close() throws IOException {
        entrance.close();
        threads.shutdownNow();
        threads.close();
    }
}
