package dev.semel.client;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

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
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> results;
            try {
                results = threads.invokeAll(intents.stream()
                        .map(intent -> (java.util.concurrent.Callable<Answer>) () -> {
                            room.acquire();
                            try {
                                Answer answer = send.apply(intent);
                                listener.accept(new Progress(intent, answer, done.incrementAndGet(), intents.size()));
                                return answer;
                            } finally {
                                room.release();
                            }
                        })
                        .toList());
            } catch (InterruptedException e) {
                threads.shutdownNow();
                throw e;
            }
            return counted(results.stream().map(Resumption::answer).toList());
        }
    }

    private static Answer answer(Future<Answer> result) {
        try {
            return result.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException it) throw it;
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            throw new IllegalStateException("It is done already.", e);
        }
    }

    private static Resumption counted(List<Answer> answers) {
        return new Resumption(
                count(answers, Answer.Definitive.class),
                count(answers, Answer.Refused.class),
                count(answers, Answer.StillUnknown.class));
    }

    private static int count(List<Answer> answers, Class<? extends Answer> kind) {
        Stream<Answer> all = answers.stream();
        return (int) all.filter(kind::isInstance).count();
    }
}
