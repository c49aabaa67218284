package dev.semel.examples.demo;

import dev.semel.examples.demo.ImpatientClient.Answer;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Pays for one order, and asks again with the same key until there is a final answer. */
final class Customer {
    private static final int FIRST_PAUSE_MILLIS = 50;
    private static final int LONGEST_PAUSE_MILLIS = 2000;

    private final Order order;
    private final ImpatientClient client;
    private final Tally tally;
    private final SplittableRandom random;

    Customer(Order order, ImpatientClient client, Tally tally) {
        this.order = order;
        this.client = client;
        this.tally = tally;
        this.random = new SplittableRandom(order.seed());
    }

    /** Returns with the final answer, or when the thread is interrupted. */
    void pay() {
        tally.wanted.add(order.payment().key());
        try {
            Answer answer = order.copies() == 1 ? client.send(order.payment()) : sendCopies();
            for (int attempt = 1; !(answer instanceof Answer.Final); attempt++) {
                Thread.sleep(pauseAfter(attempt));
                answer = client.send(order.payment());
            }
            end((Answer.Final) answer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void end(Answer.Final answer) {
        if (answer.paid()) tally.paid.add(order.payment().key());
        else tally.refused.increment();
    }

    /** Someone hits the button several times: the same request at the same moment. */
    private Answer sendCopies() throws InterruptedException {
        Callable<Answer> send = () -> client.send(order.payment());
        Answer best = new Answer.None();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> answers = threads.invokeAll(Collections.nCopies(order.copies(), send));
            for (Future<Answer> answer : answers) {
                if (answer.get() instanceof Answer.Final last) best = last;
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("A request failed in a way no network can explain.", e.getCause());
        }
        return best;
    }

    /** Exponential with full jitter, so that customers who failed together do not come back together. */
    private int pauseAfter(int attempt) {
        int ceiling = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(attempt, 8));
        return 1 + random.nextInt(ceiling);
    }
}
