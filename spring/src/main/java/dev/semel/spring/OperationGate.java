package dev.semel.spring;

import dev.semel.core.Semel;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.context.SmartLifecycle;

/**
 * Lets calls of methods with {@link Once} in while the application runs. Stops after web servers, schedulers and message
 * listeners have: then nothing new begins, and what still runs may finish. The engine is closed after that, when beans are
 * destroyed, and before the DataSource. For use by any thread.
 */
final class OperationGate implements SmartLifecycle {
    /** How often leases of requests are looked at, which do not pass here. */
    private static final long LOOK_NANOS = 10_000_000;

    private final Semel semel;
    private final Duration grace;
    private final ThreadLocal<Integer> depth = ThreadLocal.withInitial(() -> 0);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition left = lock.newCondition();
    private int running;
    private boolean open = true;

    OperationGate(Semel semel, Duration grace) {
        this.semel = semel;
        this.grace = grace;
    }

    /** A call that is a part of a running operation passes in any case: else that one could not finish. */
    boolean enter() {
        lock.lock();
        try {
            if (!open && depth.get() == 0) return false;
            running++;
            depth.set(depth.get() + 1);
            return true;
        } finally {
            lock.unlock();
        }
    }

    void leave() {
        lock.lock();
        try {
            if (depth.get() == 1) depth.remove();
            else depth.set(depth.get() - 1);
            running--;
            left.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void start() {
        lock.lock();
        try {
            open = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void stop() {
        lock.lock();
        try {
            open = false;
            long end = System.nanoTime() + grace.toNanos();
            while (running > 0 || semel.heldHere() > 0) {
                long rest = end - System.nanoTime();
                if (rest <= 0) return;
                left.awaitNanos(Math.min(rest, LOOK_NANOS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isRunning() {
        lock.lock();
        try {
            return open;
        } finally {
            lock.unlock();
        }
    }

    /** Started before and stopped after all that might call: see the phases of Spring Boot's web servers and executors. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE / 2;
    }
}
