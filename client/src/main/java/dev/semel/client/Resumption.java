package dev.semel.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What became of the calls that were pending when a client resumed. What is still unknown stays pending.
 *
 * @param definitive how many have their answer now
 * @param refused how many were refused
 * @param stillUnknown how many are pending as before
 */
public record Resumption(int definitive, int refused, int stillUnknown) {

    static Resumption of(
            List<String> intents, int atOnce, Function<String, Answer> send, Consumer<? super Progress> listener)
            throws InterruptedException {
        Semaphore room = new Semaphore(atOnce);
        AtomicInteger done = new AtomicInteger();
        List<Future<Resumption>> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                for (String intent : intents) {
                    // A thread begins when there is room for it; of its answer only the kind is kept.
                    room.acquire();
                    results.add(threads.submit(() -> {
                        try {
                            Answer answer = send.apply(intent);
                            listener.accept(new Progress(intent, answer, done.incrementAndGet(), intents.size()));
                            return ofOne(answer);
                        } finally {
                            room.release();
                        }
                    }));
                }
            } catch (InterruptedException e) {
                threads.shutdownNow();
                throw e;
            }
        }
        return sum(results);
    }

    private static Resumption ofOne(Answer answer) {
        return switch (answer) {
            case Answer.Definitive it -> new Resumption(1, 0, 0);
            case Answer.Refused it -> new Resumption(0, 1, 0);
            case Answer.StillUnknown it -> new Resumption(0, 0, 1);
        };
    }

    private static Resumption sum(List<Future<Resumption>> results) throws InterruptedException {
        Resumption all = new Resumption(0, 0, 0);
        for (Future<Resumption> result : results) {
            try {
                all = all.plus(result.get());
            } catch (ExecutionException e) {
                if (e.getCause() instanceof RuntimeException it) throw it;
                throw new IllegalStateException(e.getCause());
            }
        }
        return all;
    }

    private Resumption plus(Resumption other) {
        return new Resumption(
                definitive + other.definitive, refused + other.refused, stillUnknown + other.stillUnknown);
    }
}
