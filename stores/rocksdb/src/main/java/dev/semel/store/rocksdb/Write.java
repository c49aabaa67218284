package dev.semel.store.rocksdb;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * One caller's write, and where that caller waits for it. What it finds is decided by the committer alone, one write
 * after the other; so writes of one key can never cross.
 */
abstract sealed class Write {
    private static final AtomicIntegerFieldUpdater<Write> STATE =
            AtomicIntegerFieldUpdater.newUpdater(Write.class, "state");
    private static final int QUEUED = 0;
    private static final int TAKEN = 1;
    private static final int SETTLED = 2;
    private static final int WITHDRAWN = 3;
    private static final int ABANDONED = 4;

    private final Thread caller = Thread.currentThread();
    private @Nullable Supplier<? extends RuntimeException> refusal;
    private volatile int state = QUEUED;

    /** The write that was queued before this one; belongs to the queue. */
    @Nullable
    Write previous;

    /** Decides what becomes of the records in question at this instant. Throws before it changes any. */
    abstract void decide(Batch batch, Instant now) throws RocksDBException;

    /** About how much it writes. */
    int bytes() {
        return 512;
    }

    /** For the committer alone: whether it is still to be decided. From now on it may happen. */
    final boolean take() {
        return STATE.compareAndSet(this, QUEUED, TAKEN);
    }

    final void settle() {
        if (STATE.compareAndSet(this, TAKEN, SETTLED)) LockSupport.unpark(caller);
    }

    /** For the committer alone. Settles it with an exception, which is made on the caller's own thread. */
    final void refuse(Supplier<? extends RuntimeException> refusal) {
        if (state != QUEUED && state != TAKEN) return;
        this.refusal = refusal;
        take();
        settle();
    }

    /** The committer hangs: lets the caller go, with what is known about the write by now. */
    final void abandon() {
        if (STATE.compareAndSet(this, QUEUED, WITHDRAWN) || STATE.compareAndSet(this, TAKEN, ABANDONED))
            LockSupport.unpark(caller);
    }

    /** Whether its caller was told that nobody knows whether it happened. */
    final boolean isAbandoned() {
        return state == ABANDONED;
    }

    /** Waits for the committer, or until someone {@linkplain #abandon lets it go}. */
    final void await(Database database) {
        boolean interrupted = false;
        while (state == QUEUED || state == TAKEN) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) Thread.currentThread().interrupt();
        if (state == WITHDRAWN) throw database.hanging();
        if (state == ABANDONED) throw database.abandoned();
        if (refusal != null) throw refusal.get();
    }

    static final class Insert extends Write {
        private final NewKey key;
        private @Nullable KeyRecord fresh;

        Insert(NewKey key) {
            this.key = key;
        }

        @Override
        void decide(Batch batch, Instant now) throws RocksDBException {
            BatchEntry entry = batch.entry(key.id().digest());
            if (entry.head() != null) return;
            KeyRecord record = key.at(now);
            entry.put(record, RecordCodec.encode(record));
            fresh = record;
        }

        /** The record as written; null when there was one already. */
        @Nullable
        KeyRecord fresh() {
            return fresh;
        }

        /** What to remove when nobody was told of this claim: it must not be held by nobody. Null when nothing. */
        Clean.@Nullable Expired undo() {
            return fresh == null ? null : new Clean.Expired(key.id().digest(), RecordCodec.encode(fresh), null);
        }
    }

    static final class Replace extends Write {
        private final KeyRecord seen;
        private final Change change;
        private @Nullable KeyRecord swapped;

        Replace(KeyRecord seen, Change change) {
            this.seen = seen;
            this.change = change;
        }

        @Override
        int bytes() {
            return super.bytes()
                    + (change.next() instanceof Next.Done done ? done.outcome().encoded().length : 0);
        }

        @Override
        void decide(Batch batch, Instant now) throws RocksDBException {
            BatchEntry entry = batch.entry(seen.id().digest());
            byte[] head = entry.head();
            if (head == null || !RecordHead.isReadable(head) || RecordHead.revision(head) != seen.revision()) return;
            KeyRecord record = change.after(seen, now);
            byte[] encoded = RecordCodec.encode(record);
            if (!RecordHead.sameId(head, encoded)) return;
            entry.put(record, encoded);
            swapped = record;
        }

        /** The record as written; null when the one that was seen had moved on. */
        @Nullable
        KeyRecord swapped() {
            return swapped;
        }
    }

    /** Removes or strips records that have expired, each only if its bytes are still those that were looked at. */
    static final class Clean extends Write {
        private final List<Expired> expired;
        private int removed;
        private int stripped;

        /** @param left what is left of the record; null when nothing */
        record Expired(
                byte[] address, byte[] head, @Nullable KeyRecord left) {}

        Clean(List<Expired> expired) {
            this.expired = expired;
        }

        @Override
        int bytes() {
            return expired.size() * super.bytes();
        }

        @Override
        void decide(Batch batch, Instant now) throws RocksDBException {
            for (Expired it : expired) batch.entry(it.address());
            for (Expired it : expired) {
                BatchEntry entry = batch.entry(it.address());
                if (!Arrays.equals(entry.head(), it.head())) continue;
                if (it.left() == null) {
                    entry.remove();
                    removed++;
                } else {
                    entry.put(it.left(), RecordCodec.encode(it.left()));
                    stripped++;
                }
            }
        }

        int removed() {
            return removed;
        }

        int stripped() {
            return stripped;
        }
    }

    /** Writes nothing: begins a scan over all that was written before it, from which on all that is written counts. */
    static final class BeginCounting extends Write {
        private final Database database;
        private final TenantCounts counts;
        private @Nullable RecordScan scan;

        BeginCounting(Database database, TenantCounts counts) {
            this.database = database;
            this.counts = counts;
        }

        @Override
        void decide(Batch batch, Instant now) {
            scan = database.beginScan(null);
            counts.startCounting();
        }

        /** Begins, and returns the scan, which the caller closes. */
        RecordScan at(Committer committer) {
            try {
                committer.commit(this);
            } catch (RuntimeException e) {
                if (scan != null) scan.close();
                throw e;
            }
            return Objects.requireNonNull(scan, "decided");
        }
    }
}
