package dev.semel.core;

import dev.semel.core.key.KeyId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keys to see to, each at its time: the earlier when it is put down twice, and never two at once for one key. */
final class Agenda implements AutoCloseable {
    private static final int AT_ONCE = 16;
    private static final int MOST = 100_000;

    private final Consumer<KeyId> attend;
    private final SemelListener listener;
    private final Semaphore hands = new Semaphore(AT_ONCE);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PriorityQueue<Entry> byTime = new PriorityQueue<>((a, b) -> Long.signum(a.due - b.due));
    private final Map<KeyId, Entry> byKey = new HashMap<>();
    private final Thread thread;
    private boolean closed;

    Agenda(String name, Consumer<KeyId> attend, SemelListener listener) {
        this.attend = attend;
        this.listener = listener;
        this.thread = Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    private record Entry(KeyId id, long due) {}

    void add(KeyId id, Duration in) {
        add(id, System.nanoTime() + Math.max(0, in.toNanos()), true);
    }

    /** At once, unless it is put down already, for whatever time. */
    void addIfAbsent(KeyId id) {
        add(id, System.nanoTime(), false);
    }

    private void add(KeyId id, long due, boolean sooner) {
        lock.lock();
        try {
            Entry present = byKey.get(id);
            if (closed || (present != null && (!sooner || present.due - due <= 0))) return;
            // Those left out are met again by the next sweep of the store.
            if (present == null && byKey.size() >= MOST) return;
            if (present != null) byTime.remove(present);
            Entry entry = new Entry(id, due);
            byKey.put(id, entry);
            byTime.add(entry);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            while (true) {
                hands.acquire();
                KeyId next = next();
                if (next == null) return;
                Thread.ofVirtual().name("semel-doubt").start(() -> attend(next));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable KeyId next() throws InterruptedException {
        lock.lock();
        try {
            while (!closed) {
                Entry first = byTime.peek();
                if (first == null) {
                    changed.await();
                } else if (first.due - System.nanoTime() > 0) {
                    // Woken early or late: the next look decides.
                    long unused = changed.awaitNanos(first.due - System.nanoTime());
                } else {
                    byTime.remove();
                    byKey.remove(first.id);
                    return first.id;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void attend(KeyId id) {
        try {
            attend.accept(id);
        } catch (RuntimeException e) {
            listener.on(new SemelEvent.BackgroundTaskFailed("see to a key in doubt", e));
        } finally {
            hands.release();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
        thread.interrupt();
    }
}
