package dev.semel.examples.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * A TCP proxy that behaves like the worst of networks: by chance it loses answers, delays them, cuts requests, and
 * passes the rest. It knows nothing of HTTP but that a client asks, then waits for the answer, then may ask again.
 *
 * <p>The chances come from a seed, but which request meets which chance depends on the timing of the clients.
 */
final class BadNetwork implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final int CONNECT_MILLIS = 2000;

    private final ServerSocket entrance;
    private final InetSocketAddress target;
    private final Random chance;
    private final Traffic traffic = new Traffic();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile Weather weather;

    private BadNetwork(ServerSocket entrance, InetSocketAddress target, Weather weather, long seed) {
        this.entrance = entrance;
        this.target = target;
        this.weather = weather;
        this.chance = new Random(seed);
    }

    static BadNetwork inFrontOf(URI target, Weather weather, long seed) throws IOException {
        ServerSocket entrance = new ServerSocket(0, BACKLOG, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        InetSocketAddress address = new InetSocketAddress(target.getHost(), target.getPort());
        BadNetwork network = new BadNetwork(entrance, address, weather, seed);
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

    /** From now on everything passes. */
    void calmDown() {
        weather = Weather.CALM;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = entrance.accept();
                threads.execute(() -> converse(client));
            }
        } catch (IOException | RejectedExecutionException closed) {
            // The network goes down: the end.
        }
    }

    private void converse(Socket client) {
        try (client;
                Socket server = new Socket()) {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(target, CONNECT_MILLIS);
            Conversation conversation = new Conversation(client, server, this::draw, traffic);
            threads.execute(conversation::bringAnswers);
            conversation.bringRequests();
        } catch (IOException | RejectedExecutionException broken) {
            // A side hung up, or nobody listens at the target; closing both is all a network does about it.
        }
    }

    private Conversation.Chance draw() {
        Weather now = weather;
        return new Conversation.Chance(now.draw(chance), now.lateness());
    }

    /** Cuts every connection; no thread is left. */
    @Override
    public void close() throws IOException {
        entrance.close();
        threads.shutdownNow();
        threads.close();
    }
}
