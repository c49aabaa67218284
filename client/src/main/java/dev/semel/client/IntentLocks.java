package dev.semel.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** That one thread at a time sends the call of an intent. The others wait, and then find its answer in the ledger. */
final class IntentLocks {
    private final Map<String, Lock> locks = new HashMap<>();

    private static final class Lock extends ReentrantLock {
        private static final long serialVersionUID = 1;
        private int users;
    }

    /** Held until it is closed, by the same thread. */
    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    /** @return null when another thread has had it all this time */
    @Nullable
    Held take(String intent, Duration atMost) throws InterruptedException {
        Lock lock = enter(intent);
        boolean taken = false;
        try {
            taken = lock.tryLock(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            if (!taken) leave(intent, lock);
        }
        if (!taken) return null;
        return () -> {
            lock.unlock();
            leave(intent, lock);
        };
    }

    private synchronized Lock enter(String intent) {
        Lock lock = locks.computeIfAbsent(intent, it -> new Lock());
        lock.users++;
        return lock;
    }

    private synchronized void leave(String intent, Lock lock) {
        if (--lock.users == 0) locks.remove(intent);
    }
}
