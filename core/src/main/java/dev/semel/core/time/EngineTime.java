package dev.semel.core.time;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * The time by which the engine renews, waits, retries and sweeps. Leases and retention are not judged by it, but by the
 * clock of the store.
 *
 * <p>Tests put in one that they move by hand ({@link HandTime}), and then nothing has to wait for real.
 * Safe for use by any thread.
 */
public interface EngineTime {
    /** The time of this machine. */
    EngineTime SYSTEM = new EngineTime() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }

        @Override
        public void parkUntil(long nanos) {
            LockSupport.parkNanos(Math.max(0, nanos - System.nanoTime()));
        }

        /** As the JDK does it, which also lets a pool know that one of its threads is blocked. */
        @Override
        public boolean await(CompletableFuture<?> result, long untilNanos) throws InterruptedException {
            try {
                result.get(Math.max(0, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
                return true;
            } catch (TimeoutException e) {
                return false;
            } catch (ExecutionException e) {
                return true;
            }
        }
    };

    /** As {@link System#nanoTime} counts: never set, but may stand still while the machine sleeps. */
    long nanos();

    /** As {@link System#currentTimeMillis} counts: goes on, but may be set. */
    long wallMillis();

    /** Parks the calling thread until then. Returns earlier when it is unparked or interrupted, or for no reason. */
    void parkUntil(long nanos);

    /** What a clock on the wall says, for remarks. */
    default Instant instant() {
        return Instant.ofEpochMilli(wallMillis());
    }

    /** What both of its clocks say now. */
    default Reading read() {
        return new Reading(nanos(), wallMillis());
    }

    /** What both clocks said at some moment. */
    record Reading(long nanos, long wallMillis) {}

    /** How long ago that was, by the more pessimistic of the two clocks. */
    default long nanosSince(Reading then) {
        return Math.max(nanos() - then.nanos(), (wallMillis() - then.wallMillis()) * 1_000_000);
    }

    /**
     * Waits for a result until then.
     *
     * @return whether it is there now
     * @throws InterruptedException when the thread is interrupted meanwhile
     */
    default boolean await(CompletableFuture<?> result, long untilNanos) throws InterruptedException {
        if (result.isDone()) return true;
        Thread waiter = Thread.currentThread();
        var unused = result.whenComplete((value, failure) -> LockSupport.unpark(waiter));
        while (!result.isDone() && nanos() - untilNanos < 0) {
            if (Thread.interrupted()) throw new InterruptedException();
            parkUntil(untilNanos);
        }
        return result.isDone();
    }
}
