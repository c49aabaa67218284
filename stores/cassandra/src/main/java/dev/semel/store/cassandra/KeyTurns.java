package dev.semel.store.cassandra;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Callers of one process who want the same key take turns. Paxos gets slow when rounds for one key meet: each upsets the
 * others, and all pause and try again. So a storm of retries has one round under way per process; and what it finds serves
 * all who came before it was begun, without a round of their own.
 */
final class KeyTurns {
    private final ConcurrentHashMap<KeyId, Queue> queues = new ConcurrentHashMap<>();
    private final Duration patience;

    /** @param patience how long a caller waits for its turn */
    KeyTurns(Duration patience) {
        this.patience = patience;
    }

    /** Those who want one key now. */
    private static final class Queue {
        private final ReentrantLock turn = new ReentrantLock(true);

        /** Changed only while the map holds the entry still. */
        private int callers;

        /** Guarded by the turn. */
        private @Nullable Finding last;
    }

    /**
     * What was found out about a key.
     *
     * @param askedAt when the server was asked, by {@link System#nanoTime}
     * @param seen null when there was no record
     */
    private record Finding(long askedAt, @Nullable Seen seen) {}

    /** The caller's turn. */
    static final class Turn {
        private final Queue queue;
        private final long cameAt;
        private long askedAt;

        private Turn(Queue queue, long cameAt) {
            this.queue = queue;
            this.cameAt = cameAt;
        }

        /** Whether someone asked the server after this caller came, and was answered: {@link #known} is that answer. */
        boolean isKnown() {
            return queue.last != null && queue.last.askedAt - cameAt >= 0;
        }

        /** The record that was there then; null when none was. */
        @Nullable
        Seen known() {
            return isKnown() && queue.last != null ? queue.last.seen : null;
        }

        /** Is said right before the server is asked. What was known before may be over when the answer is lost. */
        void asking() {
            askedAt = System.nanoTime();
            queue.last = null;
        }

        /** Is said when the server has answered. */
        void learned(@Nullable Seen seen) {
            queue.last = new Finding(askedAt, seen);
        }
    }

    /**
     * Runs this in the caller's turn.
     *
     * @throws StoreException when that does not come in time
     */
    <T> T take(KeyId id, Function<Turn, T> work) {
        long cameAt = System.nanoTime();
        Queue queue = enter(id);
        try {
            await(queue.turn);
            try {
                return work.apply(new Turn(queue, cameAt));
            } finally {
                queue.turn.unlock();
            }
        } finally {
            leave(id);
        }
    }

    private Queue enter(KeyId id) {
        return queues.compute(id, (key, present) -> {
            Queue queue = present == null ? new Queue() : present;
            queue.callers++;
            return queue;
        });
    }

    private void await(ReentrantLock turn) {
        if (turn.tryLock()) return;
        try {
            if (turn.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw StoreException.notApplied(
                "Other requests for the same key are not answered in time. Nothing was sent; it is safe to try again.",
                null);
    }

    private void leave(KeyId id) {
        queues.computeIfPresent(id, (key, queue) -> --queue.callers == 0 ? null : queue);
    }
}
