package dev.semel.examples.demo;

import dev.semel.examples.demo.ImpatientClient.Answer;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Pays for one thing after the other, and for each asks again with the same key until there is a final answer. */
final class Shopper {
    private static final double BURSTS = 0.08;
    private static final int THINKS_MILLIS = 1000;
    private static final int FIRST_PAUSE_MILLIS = 50;
    private static final int LONGEST_PAUSE_MILLIS = 800;

    private final String name;
    private final ImpatientClient client;
    private final Tally tally;
    private final RandomGenerator random;

    Shopper(String name, ImpatientClient client, Tally tally, RandomGenerator random) {
        this.name = name;
        this.client = client;
        this.tally = tally;
        this.random = random;
    }

    /** Shops until the shop closes; a payment that was begun is brought to its end, unless the thread is interrupted. */
    void shop(CountDownLatch closing) {
        try {
            while (!closing.await(random.nextInt(THINKS_MILLIS), TimeUnit.MILLISECONDS)) pay(Payment.of(name, random));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void pay(Payment payment) throws InterruptedException {
        tally.started.increment();
        boolean nervous = random.nextDouble() < BURSTS;
        Answer answer = nervous ? sendCopies(payment, 3 + random.nextInt(3)) : client.send(payment);
        for (int attempt = 1; !(answer instanceof Answer.Final); attempt++) {
            Thread.sleep(pauseAfter(attempt));
            answer = client.send(payment);
        }
        if (((Answer.Final) answer).paid()) tally.paid.add(payment.key());
        else tally.refused.increment();
    }

    /** Someone hits the button several times: the same request at the same moment. */
    private Answer sendCopies(Payment payment, int copies) throws InterruptedException {
        Callable<Answer> send = () -> client.send(payment);
        Answer best = new Answer.None();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> answers = threads.invokeAll(Collections.nCopies(copies, send));
            for (Future<Answer> answer : answers) {
                if (answer.get() instanceof Answer.Final last) best = last;
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("A request failed in a way no network can explain.", e.getCause());
        }
        return best;
    }

    /** Exponential with full jitter, so that shoppers who failed together do not come back together. */
    private int pauseAfter(int attempt) {
        int ceiling = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(attempt, 8));
        return 1 + random.nextInt(ceiling);
    }
}
