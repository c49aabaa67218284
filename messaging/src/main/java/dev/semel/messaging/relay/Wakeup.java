package dev.semel.messaging.relay;

import dev.semel.core.time.EngineTime;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Wakes threads that wait for something to do. A signal that comes before the wait is not lost. Safe for use by any thread. */
public final class Wakeup {
    private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();

    /** One thread that waits now and then. */
    public final class Waiter implements AutoCloseable {
        private final Thread thread = Thread.currentThread();
        private volatile boolean signalled;

        /** Returns when there was a signal since the last call, or at that time. Never earlier, but when interrupted. */
        public void await(EngineTime time, long untilNanos) {
            while (!signalled && time.nanos() - untilNanos < 0 && !thread.isInterrupted()) time.parkUntil(untilNanos);
            signalled = false;
        }

        void wake() {
            signalled = true;
            LockSupport.unpark(thread);
        }

        @Override
        public void close() {
            waiters.remove(this);
        }
    }

    /** For the calling thread. */
    public Waiter waiter() {
        Waiter waiter = new Waiter();
        waiters.add(waiter);
        return waiter;
    }

    public void signal() {
        for (Waiter waiter : waiters) waiter.wake();
    }
}
