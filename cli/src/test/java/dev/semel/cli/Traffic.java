package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients that send orders to one gateway without pause until it is dead, and what each key was answered. Some orders
 * are sent by two clients at once. Whatever a key is answered, it must be the same each time.
 */
final class Traffic implements AutoCloseable {
    private final int port;
    private final long seed;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> clients = new ArrayList<>();
    private final Map<String, Answer> answered = new ConcurrentHashMap<>();
    private final Set<String> unanswered = ConcurrentHashMap.newKeySet();
    private final AtomicInteger keys = new AtomicInteger();

    Traffic(int port, long seed) {
        this.port = port;
        this.seed = seed;
    }

    /** Sends more clients on their way. They end when the gateway does. */
    void begin(int number) {
        for (int i = 0; i < number; i++) {
            Random random = new Random(seed + clients.size());
            clients.add(threads.submit(() -> orderUntilItDies(random)));
        }
    }

    private void orderUntilItDies(Random random) {
        try (Client client = new Client(port)) {
            while (true) order(client, "order-" + nextKey(random));
        } catch (IOException dead) {
            // As it should be.
        }
    }

    /** Mostly a new one, and now and then one that another client has sent, or is sending right now. */
    private int nextKey(Random random) {
        int newest = keys.get();
        return newest > 50 && random.nextInt(4) == 0 ? newest - random.nextInt(50) : keys.incrementAndGet();
    }

    private void order(Client client, String key) throws IOException {
        try {
            Answer answer = client.order(key);
            if (answer.problem().equals("in-progress")) return;
            boolean cutOffBefore = unanswered.contains(key) && !answered.containsKey(key);
            if (answer.problem().equals("outcome-unknown") && cutOffBefore) return;
            assertEquals("", answer.problem(), () -> key + " " + answer.text());
            Answer first = answered.putIfAbsent(key, answer);
            if (first != null) assertEquals(first.essence(), answer.essence(), key);
        } catch (IOException e) {
            unanswered.add(key);
            throw e;
        }
    }

    void awaitAnswered(int more) throws Exception {
        int goal = answered.size() + more;
        Await.until("answers", () -> {
            for (Future<?> client : clients) if (client.isDone()) client.get();
            return answered.size() >= goal;
        });
    }

    /** Returns when all clients have noticed that the gateway is dead. */
    void awaitEnd() throws Exception {
        for (Future<?> client : clients) client.get();
        clients.clear();
    }

    /** What each key was answered, if it was. */
    Map<String, Answer> answered() {
        return answered;
    }

    /** The keys that were sent, and never answered to anyone. */
    List<String> unanswered() {
        return unanswered.stream().filter(key -> !answered.containsKey(key)).toList();
    }

    @Override
    public void close() {
        threads.shutdownNow();
        threads.close();
    }
}
