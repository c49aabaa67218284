package dev.semel.gateway;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** The keyed requests that are being answered, each on a virtual thread of its own. */
final class InFlight {
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("semel-request-", 0).factory());

    /** @return false when no more are taken */
    boolean run(Runnable answer) {
        try {
            threads.execute(answer);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Takes no more, and waits so long for those that run. @return whether all of them have ended */
    boolean drain(Duration patience) {
        threads.shutdown();
        try {
            return threads.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
