package dev.semel.cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many clients that work through a list together. */
final class Crowd {
    private Crowd() {}

    interface Errand<T> {
        void run(Client client, T item) throws Exception;
    }

    /** Each client has one of the ports, in turn. Returns when everything is done, or throws what went wrong. */
    static <T> void work(int clients, List<Integer> ports, Collection<T> items, Errand<T> errand) throws Exception {
        Queue<T> left = new ConcurrentLinkedQueue<>(items);
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < clients; i++) {
                int port = ports.get(i % ports.size());
                all.add(threads.submit(() -> {
                    workThrough(left, port, errand);
                    return null;
                }));
            }
            for (Future<?> one : all) one.get();
        }
    }

    private static <T> void workThrough(Queue<T> left, int port, Errand<T> errand) throws Exception {
        try (Client client = new Client(port)) {
            for (T item = left.poll(); item != null; item = left.poll()) errand.run(client, item);
        } catch (Throwable e) {
            left.clear();
            throw e;
        }
    }
}
