package dev.semel.core.engine;

import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.SemelListener;
import dev.semel.core.key.KeyId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Words of holders that the store has not taken yet, each on a virtual thread of its own, and only so many of them. */
public final class PendingWrites {
    private static final int MOST = 10_000;

    private final Semaphore places = new Semaphore(MOST);
    private final Set<Word> open = ConcurrentHashMap.newKeySet();
    private final Set<KeyId> leftBehind = ConcurrentHashMap.newKeySet();
    private final ReentrantLock telling = new ReentrantLock();
    private final SemelListener listener;
    private volatile boolean taking = true;
    private volatile boolean trying = true;

    public PendingWrites(SemelListener listener) {
        this.listener = listener;
    }

    /** @param word what the store has not taken, as in "its outcome" */
    record Word(KeyId id, long token, String word) {}

    /** Whether it is still worth trying. */
    boolean isTrying() {
        return trying;
    }

    /** Whether the end has begun: what can be finished is, but nobody waits for what may never come. */
    boolean isClosing() {
        return !taking;
    }

    /**
     * @param work tries for as long as {@link #isTrying}; false when it gave up
     * @return false when too much is unfinished already; the key then ends in doubt by itself, and the listener knows
     */
    boolean add(Word word, BooleanSupplier work) {
        if (!taking || !places.tryAcquire()) {
            left(word, taking ? "too much else was waiting for the store" : "the store did not take it in time");
            return false;
        }
        open.add(word);
        Thread.ofVirtual().name("semel-pending").start(() -> {
            try {
                boolean written = work.getAsBoolean();
                end(word, !written);
            } catch (RuntimeException e) {
                listener.on(new SemelEvent.BackgroundTaskFailed("write what the store had not taken", e));
                end(word, true);
            } catch (Error e) {
                end(word, true);
                throw e;
            } finally {
                places.release();
            }
        });
        return true;
    }

    /** Whoever takes a word off the list is the one who tells that it was left behind; the other waits for that. */
    private void end(Word word, boolean leftBehind) {
        telling.lock();
        try {
            if (open.remove(word) && leftBehind) left(word, "the store did not take it before the end");
        } finally {
            telling.unlock();
        }
    }

    private void left(Word word, String why) {
        leftBehind.add(word.id());
        listener.on(new SemelEvent.LeftBehind(word.id(), word.token(), word.word(), why));
    }

    /**
     * Gives the store so much time to take what is left; then stops trying, and says what was left behind.
     *
     * @return the keys of what was left behind
     */
    public Set<KeyId> close(Duration grace) {
        taking = false;
        boolean finished = false;
        try {
            finished = places.tryAcquire(MOST, grace.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        trying = false;
        telling.lock();
        try {
            if (finished) places.release(MOST);
            for (Word word : List.copyOf(open)) end(word, true);
            return Set.copyOf(leftBehind);
        } finally {
            telling.unlock();
        }
    }
}
