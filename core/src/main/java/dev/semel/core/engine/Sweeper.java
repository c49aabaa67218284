package dev.semel.core.engine;

import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.SemelListener;
import dev.semel.core.key.KeyId;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyIndex.Swept;
import dev.semel.core.time.EngineTime;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Cleans a store in the background: one full pass per interval, in small steps with pauses between them. */
public final class Sweeper implements AutoCloseable {
    private static final int RECORDS_PER_STEP = 1000;
    private static final long PAUSE_NANOS = 10_000_000;

    /** Whoever starts an engine has a moment to get ready for what the first pass comes across. */
    private static final long SETTLING_NANOS = 200_000_000;

    private static final int MOST_TOLD = 10_000;

    private final KeyIndex index;
    private final Duration interval;
    private final SemelListener listener;
    private final Consumer<Collection<KeyId>> due;
    private final EngineTime time;
    private final Thread thread;
    private final Set<String> told = new HashSet<>();
    private volatile boolean closed;

    /** @param due is told of the keys that it comes across and that it is time to look at */
    public Sweeper(
            KeyIndex index,
            Duration interval,
            SemelListener listener,
            Consumer<Collection<KeyId>> due,
            EngineTime time) {
        this.index = index;
        this.interval = interval;
        this.listener = listener;
        this.due = due;
        this.time = time;
        this.thread = Thread.ofPlatform().daemon().name("semel-sweeper").start(this::run);
    }

    private void run() {
        time.parkUntil(time.nanos() + SETTLING_NANOS);
        while (!closed) {
            try {
                while (!closed && !step()) time.parkUntil(time.nanos() + PAUSE_NANOS);
            } catch (RuntimeException e) {
                if (!closed) listener.on(new SemelEvent.BackgroundTaskFailed("sweep", e));
            }
            if (!closed) time.parkUntil(time.nanos() + interval.toNanos());
        }
    }

    private boolean step() {
        Swept swept = index.sweep(RECORDS_PER_STEP);
        if (!swept.due().isEmpty()) due.accept(swept.due());
        if (!swept.unreadable().isEmpty()) tell(swept.unreadable());
        return swept.finished();
    }

    /** Every pass meets the same ones again. */
    private void tell(List<String> unreadable) {
        List<String> news = unreadable.stream()
                .filter(it -> told.size() < MOST_TOLD && told.add(it))
                .toList();
        if (!news.isEmpty()) listener.on(new SemelEvent.UnreadableRecords(news));
    }

    /** Returns when no step runs any more, so that the store may be closed. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
