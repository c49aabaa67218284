package dev.semel.examples.demo.messages;

import dev.semel.messaging.consume.IncomingMessage;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A broker as brokers are on a bad day: it breaks requests off, takes messages without saying so, delivers them again when it has not
 * heard that they arrived, and is away now and then. It loses nothing that it has taken.
 */
final class BadBroker implements AutoCloseable {
    private static final double CUT = 0.04;
    private static final double ANSWER_LOST = 0.08;
    private static final double ACKNOWLEDGEMENT_LOST = 0.06;

    private final ServerSocket server;
    private final SplittableRandom random;
    private final BlockingQueue<IncomingMessage> queue = new LinkedBlockingQueue<>();
    private final Map<String, Integer> held = new ConcurrentHashMap<>();
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    final AtomicLong answersLost = new AtomicLong();
    final AtomicLong requestsRefused = new AtomicLong();
    final AtomicLong redelivered = new AtomicLong();
    private volatile boolean away;
    private volatile boolean healed = true;
    private volatile boolean losesAllAnswers;

    BadBroker(long seed) throws IOException {
        this.random = new SplittableRandom(seed);
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("demo-broker").start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    void setAway(boolean gone) {
        away = gone;
        if (gone) connections.forEach(BadBroker::cut);
    }

    void setLosesAllAnswers(boolean loses) {
        losesAllAnswers = loses;
    }

    boolean isAway() {
        return away;
    }

    boolean losesAllAnswers() {
        return losesAllAnswers;
    }

    /** It begins as a good one. */
    void setBad() {
        healed = false;
    }

    /** From now on it is a good one again. */
    void heal() {
        healed = true;
        away = false;
        losesAllAnswers = false;
    }

    private void accept() {
        while (!server.isClosed())
            try {
                Socket connection = server.accept();
                connections.add(connection);
                Thread.ofVirtual().name("demo-broker-connection").start(() -> serve(connection));
            } catch (IOException e) {
                // Closed, or the one that connected is gone already.
            }
    }

    private void serve(Socket connection) {
        try (connection) {
            DataInputStream in = new DataInputStream(connection.getInputStream());
            DataOutputStream out = new DataOutputStream(connection.getOutputStream());
            while (!away) {
                List<IncomingMessage> messages = read(in);
                if (away || rolls(CUT)) {
                    requestsRefused.incrementAndGet();
                    return;
                }
                messages.forEach(this::enqueue);
                if (losesAllAnswers || rolls(ANSWER_LOST)) {
                    answersLost.incrementAndGet();
                    return;
                }
                out.writeByte(1);
                out.flush();
            }
        } catch (IOException gone) {
            // Whoever sent may try again.
        } finally {
            connections.remove(connection);
        }
    }

    private static List<IncomingMessage> read(DataInputStream in) throws IOException {
        int count = in.readInt();
        List<IncomingMessage> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String id = in.readUTF();
            String key = in.readUTF();
            byte[] body = in.readUTF().getBytes(StandardCharsets.UTF_8);
            messages.add(new IncomingMessage(id, "orders", key, "order.placed", Map.of(), body));
        }
        return messages;
    }

    private synchronized boolean rolls(double probability) {
        return !healed && random.nextDouble() < probability;
    }

    private void enqueue(IncomingMessage message) {
        held.merge(String.valueOf(message.key()), 1, Integer::sum);
        queue.add(message);
    }

    /** What comes next, up to so many; waits a little for the first. */
    List<IncomingMessage> next(int most) throws InterruptedException {
        List<IncomingMessage> next = new ArrayList<>();
        IncomingMessage first = queue.poll(50, TimeUnit.MILLISECONDS);
        if (first == null) return next;
        next.add(first);
        queue.drainTo(next, most - 1);
        return next;
    }

    /** The consumer has it, and says so; which the broker hears, as a rule. */
    void acknowledge(IncomingMessage message) {
        if (rolls(ACKNOWLEDGEMENT_LOST)) deliverAgain(message);
        else held.computeIfPresent(String.valueOf(message.key()), (key, copies) -> copies == 1 ? null : copies - 1);
    }

    /** Whoever had it is gone. */
    void deliverAgain(IncomingMessage message) {
        redelivered.incrementAndGet();
        queue.add(message);
    }

    /** The orders of which it has a message that no consumer has acknowledged. */
    Set<String> held() {
        return Set.copyOf(held.keySet());
    }

    private static void cut(Socket connection) {
        try {
            connection.close();
        } catch (IOException e) {
            // Then it is.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        connections.forEach(BadBroker::cut);
    }
}
