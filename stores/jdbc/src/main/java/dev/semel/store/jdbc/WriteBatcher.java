package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Group commit: writes of concurrent callers share one statement and one commit. A caller that finds no batch in flight
 * writes at once, alone. While a batch is in flight, callers queue; then the first of them leads the next batch and takes
 * the others along. So nobody waits for a batch to fill, and the busier the database, the larger the batches. If a batch
 * is slow, a few more may run beside it.
 *
 * <p>There is no thread of its own: the caller that leads a batch writes it. Safe for use by any thread.
 *
 * @param <W> a write
 * @param <R> its result
 */
final class WriteBatcher<W extends WriteBatcher.Write, R> {
    /** A batch that takes longer than this is held up, by a lock or by the network, and must not hold up all others. */
    private static final Duration SLOW_BATCH = Duration.ofMillis(100);

    /** Larger batches hardly save anything, and make the others wait. */
    static final int MAX_WRITES = 128;

    private static final long MAX_BYTES = 1024 * 1024;

    interface Write {
        /** No two writes of a batch are for the same key: a statement cannot write a row twice. */
        KeyId id();

        /** About how much has to be sent. */
        long bytes();
    }

    /** Writes a batch in one transaction: all of it or nothing. The results are in the order of the writes. */
    interface BatchWriter<W, R> {
        List<R> write(List<W> batch);
    }

    private final BatchWriter<W, R> writer;
    private final int maxWrites;
    private final int maxConcurrentBatches;
    private final Duration queueTimeout;
    private final Predicate<StoreException> wasRefused;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<PendingWrite<W, R>> queue = new ArrayDeque<>();
    private volatile IntConsumer onBatch = size -> {};
    private int batchesInFlight;

    /**
     * @param maxWrites how many writes a batch may have
     * @param maxConcurrentBatches how many batches may be in flight at once, when some of them are slow
     * @param queueTimeout how long a caller waits for its batch to begin
     * @param wasRefused whether a batch failed because the database said no to something in it
     */
    WriteBatcher(
            BatchWriter<W, R> writer,
            int maxWrites,
            int maxConcurrentBatches,
            Duration queueTimeout,
            Predicate<StoreException> wasRefused) {
        this.writer = writer;
        this.maxWrites = maxWrites;
        this.maxConcurrentBatches = maxConcurrentBatches;
        this.queueTimeout = queueTimeout;
        this.wasRefused = wasRefused;
    }

    R submit(W write) {
        PendingWrite<W, R> mine = new PendingWrite<>(write);
        if (!enqueueIfBusy(mine)) return leadBatch(mine);
        PendingWrite.Wait wait = mine.await(SLOW_BATCH);
        if (wait == PendingWrite.Wait.TIMED_OUT)
            wait = leaveQueueToLead(mine) ? PendingWrite.Wait.LEAD : mine.await(queueTimeout);
        return switch (wait) {
            case LEAD -> leadBatch(mine);
            case FINISHED -> result(mine);
            case TIMED_OUT -> cancel(mine);
        };
    }

    /** Whether it has to wait. While no batch is in flight, the queue is empty. */
    private boolean enqueueIfBusy(PendingWrite<W, R> mine) {
        lock.lock();
        try {
            if (batchesInFlight > 0) return queue.add(mine);
            batchesInFlight++;
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Whether it may lead another batch beside the slow one. */
    private boolean leaveQueueToLead(PendingWrite<W, R> mine) {
        lock.lock();
        try {
            if (batchesInFlight >= maxConcurrentBatches || !queue.remove(mine)) return false;
            batchesInFlight++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private R leadBatch(PendingWrite<W, R> mine) {
        List<PendingWrite<W, R>> batch = formBatch(mine);
        List<R> results = null;
        RuntimeException failure = null;
        try {
            results = writer.write(batch.stream().map(PendingWrite::write).toList());
        } catch (RuntimeException e) {
            failure = e;
        } finally {
            // The next leader first: its batch should be on its way while these callers wake up.
            appointNextLeader();
            finish(batch, results, failure);
        }
        if (results != null) onBatch.accept(batch.size());
        return result(mine);
    }

    /** In the order of their keys: two batches that share some rows then never deadlock. */
    private List<PendingWrite<W, R>> formBatch(PendingWrite<W, R> leader) {
        List<PendingWrite<W, R>> batch = new ArrayList<>();
        batch.add(leader);
        lock.lock();
        try {
            if (!queue.isEmpty()) addQueued(batch);
        } finally {
            lock.unlock();
        }
        if (batch.size() > 1) batch.sort(PendingWrite.BY_KEY);
        return batch;
    }

    private void addQueued(List<PendingWrite<W, R>> batch) {
        Set<KeyId> keys = new HashSet<>();
        keys.add(batch.getFirst().write().id());
        long bytes = batch.getFirst().write().bytes();
        Iterator<PendingWrite<W, R>> queued = queue.iterator();
        while (queued.hasNext() && batch.size() < maxWrites && bytes < MAX_BYTES) {
            PendingWrite<W, R> next = queued.next();
            if (!keys.add(next.write().id())) continue;
            queued.remove();
            bytes += next.write().bytes();
            batch.add(next);
        }
    }

    private void appointNextLeader() {
        lock.lock();
        try {
            PendingWrite<W, R> next = queue.poll();
            if (next == null) batchesInFlight--;
            else next.lead();
        } finally {
            lock.unlock();
        }
    }

    private void finish(List<PendingWrite<W, R>> batch, @Nullable List<R> results, @Nullable RuntimeException failure) {
        boolean refused = failure instanceof StoreException it && wasRefused.test(it) && batch.size() > 1;
        for (int i = 0; i < batch.size(); i++) {
            PendingWrite<W, R> each = batch.get(i);
            if (results != null) each.succeed(results.get(i));
            else if (refused) each.writeSingly();
            else each.fail(failure);
        }
    }

    private R result(PendingWrite<W, R> mine) {
        // The server rolled back the whole batch because of one write; written singly, only that one fails.
        return mine.isToWriteSingly() ? writer.write(List.of(mine.write())).getFirst() : mine.result();
    }

    /** Nothing was sent, unless its batch has begun in this very moment. */
    private R cancel(PendingWrite<W, R> mine) {
        boolean stillQueued;
        lock.lock();
        try {
            stillQueued = queue.remove(mine);
        } finally {
            lock.unlock();
        }
        if (stillQueued)
            throw StoreException.notApplied("The database is too busy: nothing was sent in " + queueTimeout, null);
        return mine.await() == PendingWrite.Wait.LEAD ? leadBatch(mine) : result(mine);
    }

    /** @param size gets the number of writes of each batch that was written */
    void onBatch(IntConsumer size) {
        onBatch = size;
    }

    /** How many writes wait for a batch. */
    int queued() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }
}
