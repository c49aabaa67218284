package dev.semel.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients that send one new order after the other, whatever they are told, and write it down. */
final class SteadyOrders implements AutoCloseable {
    private final int port;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> clients = new ArrayList<>();
    private final AtomicInteger keys = new AtomicInteger();
    private final Map<String, Answer> told = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
    private volatile boolean running = true;

    SteadyOrders(int port) {
        this.port = port;
    }

    void begin(int number) {
        for (int i = 0; i < number; i++) {
            clients.add(threads.submit(() -> {
                order();
                return null;
            }));
        }
    }

    private void order() throws IOException {
        try (Client client = new Client(port)) {
            while (running) {
                String key = "steady-" + keys.incrementAndGet();
                Answer answer = client.order(key);
                told.put(key, answer);
                counts.computeIfAbsent(answer.summary(), absent -> new AtomicInteger())
                        .incrementAndGet();
            }
        }
    }

    /** Waits for so many more answers of this kind. */
    void awaitMore(String summary, int more) throws Exception {
        AtomicInteger count = counts.computeIfAbsent(summary, absent -> new AtomicInteger());
        int goal = count.get() + more;
        Await.until(() -> summary + " among " + counts, () -> {
            for (Future<?> client : clients) if (client.isDone()) client.get();
            return count.get() >= goal;
        });
    }

    void stop() throws Exception {
        running = false;
        for (Future<?> client : clients) client.get();
    }

    /** What each key was answered. */
    Map<String, Answer> told() {
        return told;
    }

    @Override
    public void close() {
        running = false;
        threads.shutdownNow();
        threads.close();
    }
}
