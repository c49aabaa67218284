package dev.semel.gateway;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.StoreException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the store does what requests need: takes a durable write. To find out, it writes to a record of its own, always the
 * same one, which is forgotten an hour after the last time. However many ask, there is one write at a time, and one a second.
 * It says in the log when the store is lost, and when it is back; from the one to the other it looks every second by itself.
 */
final class StoreHealth implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);
    private static final Duration RETENTION = Duration.ofHours(1);
    private static final Duration FIRST_LEASE = Duration.ofSeconds(10);
    private static final int MOST_ROUNDS = 3;
    private static final Logger LOG = LoggerFactory.getLogger(StoreHealth.class);

    private final KeyStore store;
    private final KeyId id = KeyId.reserved("", "readiness", UUID.randomUUID().toString());
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Look last;
    private @Nullable KeyRecord record;
    private long lostAt;
    private boolean lost;
    private volatile boolean closed;

    StoreHealth(KeyStore store) {
        this.store = store;
    }

    /** One look at the store. Its answer is empty when all is well, else why not. */
    private final class Look implements Runnable {
        private final long began = System.nanoTime();
        private final CompletableFuture<String> answer = new CompletableFuture<>();
        private volatile long ended;

        @Override
        public void run() {
            String flaw = "";
            try {
                write();
            } catch (RuntimeException e) {
                flaw = String.valueOf(e.getMessage());
            }
            ended = System.nanoTime();
            answer.complete(flaw);
            note(flaw);
        }

        boolean counts() {
            return !answer.isDone() || System.nanoTime() - ended < CHECK_INTERVAL.toNanos();
        }

        String await() {
            long left = began + TIMEOUT.toNanos() - System.nanoTime();
            try {
                return answer.get(Math.max(0, left), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                String flaw = "it has not answered for " + TIMEOUT.toSeconds() + " s";
                note(flaw);
                return flaw;
            } catch (Exception e) {
                return String.valueOf(e.getMessage());
            }
        }
    }

    /** Empty when the store takes writes; else what to tell whoever asks. Answers within {@link #TIMEOUT}. */
    String flaw() {
        return look().await().isEmpty() ? "" : "the store does not take writes";
    }

    private Look look() {
        lock.lock();
        try {
            if (last != null && last.counts()) return last;
            last = new Look();
            Thread.ofVirtual().name("semel-store-health").start(last);
            return last;
        } finally {
            lock.unlock();
        }
    }

    /** A write of unknown fate may have moved the record: then the next one starts from what is there. */
    private void write() {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            KeyRecord from = record == null ? inserted() : record;
            switch (store.replace(from, Change.of(from, new Next.Free(RETENTION)))) {
                case Replaced.Swapped it -> {
                    record = it.record();
                    return;
                }
                case Replaced.Moved it ->
                    record = it.current() == null ? null : it.current().record();
            }
        }
        throw StoreException.notApplied("its record changes by itself", null);
    }

    private KeyRecord inserted() {
        return switch (store.insert(new NewKey(id, Fingerprint.none(), id.key(), FIRST_LEASE))) {
            case Inserted.Fresh it -> it.record();
            case Inserted.Existing it -> it.seen().record();
            case Inserted.Busy it -> throw StoreException.notApplied("An open transaction has this record.", null);
        };
    }

    /** Says so once when it changes. */
    private void note(String flaw) {
        lock.lock();
        try {
            if (closed || lost == !flaw.isEmpty()) return;
            lost = !lost;
            if (lost) {
                lostAt = System.nanoTime();
                LOG.error("The store is lost: {}. Requests with a key are refused until it is back.", flaw);
                Thread.ofVirtual().name("semel-store-lost").start(this::awaitReturn);
            } else {
                LOG.warn(
                        "The store is back after {} s.",
                        Duration.ofNanos(System.nanoTime() - lostAt).toSeconds());
            }
        } finally {
            lock.unlock();
        }
    }

    private void awaitReturn() {
        do {
            LockSupport.parkNanos(CHECK_INTERVAL.toNanos());
        } while (!closed && !look().await().isEmpty());
    }

    @Override
    public void close() {
        closed = true;
    }
}
