package dev.semel.gateway;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** The keyed requests that are being answered, each on a virtual thread of its own. */
final class InFlight {
    /** So many bytes are looked through in a fraction of a millisecond. */
    private static final int SMALL_BODY_BYTES = 16 * 1024;

    private final ExecutorService onLoop = Executors.newThreadPerTaskExecutor(new LoopThreads());
    private final ExecutorService offLoop = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("semel-beside-", 0).factory());

    /**
     * To be called on the event loop of the request.
     *
     * @param bytes how many there are to look through: with few, the loop itself does it
     * @return false when no more are taken
     */
    boolean run(int bytes, Runnable answer) {
        return run(bytes <= SMALL_BODY_BYTES ? onLoop : offLoop, answer);
    }

    /**
     * For what may take the processor or the disk for long.
     *
     * @return false when no more are taken
     */
    boolean runOffLoop(Runnable answer) {
        return run(offLoop, answer);
    }

    private static boolean run(ExecutorService threads, Runnable answer) {
        try {
            threads.execute(answer);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Takes no more, and waits so long for those that run. @return whether all of them have ended */
    boolean drain(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        onLoop.shutdown();
        offLoop.shutdown();
        try {
            return onLoop.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS)
                    && offLoop.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
