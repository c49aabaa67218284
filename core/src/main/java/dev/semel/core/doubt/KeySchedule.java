package dev.semel.core.doubt;

import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.SemelListener;
import dev.semel.core.key.KeyId;
import dev.semel.core.time.EngineTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keys to look at, each at its time: the earlier when it is added twice. */
final class KeySchedule implements AutoCloseable {
    private static final int LOOKS_AT_ONCE = 16;
    private static final int MOST_KEYS = 100_000;
    private static final long LONG = Duration.ofHours(1).toNanos();

    private final Consumer<KeyId> look;
    private final SemelListener listener;
    private final EngineTime time;
    private final Semaphore places = new Semaphore(LOOKS_AT_ONCE);
    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Entry> byTime = new PriorityQueue<>((a, b) -> Long.signum(a.due - b.due));
    private final Map<KeyId, Entry> byKey = new HashMap<>();
    private final Thread thread;
    private volatile boolean closed;

    KeySchedule(String name, Consumer<KeyId> look, SemelListener listener, EngineTime time) {
        this.look = look;
        this.listener = listener;
        this.time = time;
        this.thread = Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    private record Entry(KeyId id, long due) {}

    void add(KeyId id, Duration in) {
        add(id, time.nanos() + Math.max(0, in.toNanos()), true);
    }

    /** At once, unless it is there already, for whatever time. */
    void addIfAbsent(KeyId id) {
        add(id, time.nanos(), false);
    }

    private void add(KeyId id, long due, boolean sooner) {
        lock.lock();
        try {
            Entry present = byKey.get(id);
            if (closed || (present != null && (!sooner || present.due - due <= 0))) return;
            // Those left out are met again by the next sweep of the store.
            if (present == null && byKey.size() >= MOST_KEYS) return;
            if (present != null) byTime.remove(present);
            Entry entry = new Entry(id, due);
            byKey.put(id, entry);
            byTime.add(entry);
        } finally {
            lock.unlock();
        }
        LockSupport.unpark(thread);
    }

    private void run() {
        try {
            while (true) {
                places.acquire();
                KeyId next = awaitNext();
                if (next == null) return;
                Thread.ofVirtual().name("semel-doubt").start(() -> look(next));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Null when it is closed. */
    private @Nullable KeyId awaitNext() {
        while (!closed) {
            long until = time.nanos() + LONG;
            lock.lock();
            try {
                Entry first = byTime.peek();
                if (first != null && first.due - time.nanos() <= 0) {
                    byTime.remove();
                    byKey.remove(first.id);
                    return first.id;
                }
                if (first != null) until = first.due;
            } finally {
                lock.unlock();
            }
            time.parkUntil(until);
        }
        return null;
    }

    private void look(KeyId id) {
        try {
            look.accept(id);
        } catch (RuntimeException e) {
            listener.on(new SemelEvent.BackgroundTaskFailed("look at a key in doubt", e));
        } finally {
            places.release();
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
