package dev.semel.store.rocksdb;

import dev.semel.core.store.StoreException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The one thread that writes. It takes all that has queued up while the disk was busy, decides it write by write, and
 * puts it on disk with a single sync; only then do the callers learn anything.
 *
 * <p>A write that fails leaves open what is in the log. After it nothing is written any more: a store that guesses
 * would be worse than one that has to be opened again.
 */
final class Committer implements AutoCloseable {
    private static final int MOST_WRITES = 1024;
    private static final int MOST_BYTES = 16 * 1024 * 1024;

    /** The single call that reaches the disk. */
    interface Disk {
        void write(RocksDB rocks, WriteOptions options, WriteBatch batch) throws RocksDBException;
    }

    private final Database database;
    private final Disk disk;
    private final boolean sync;
    private final Clock clock;
    private final CommitQueue queue = new CommitQueue();
    private final ArrayDeque<Write> waiting = new ArrayDeque<>();
    private final List<Write> group = new ArrayList<>();
    private final RecentClaims recent = new RecentClaims();
    private final TenantCounts counts = new TenantCounts();
    private final AtomicLong commits = new AtomicLong();
    private final AtomicLong writes = new AtomicLong();
    private final Thread thread;
    private volatile @Nullable Throwable broken;

    Committer(Database database, Disk disk, Durability durability, Clock clock) {
        this.database = database;
        this.disk = disk;
        this.sync = durability == Durability.SYNC;
        this.clock = clock;
        this.thread =
                Thread.ofPlatform().daemon().name("semel-rocksdb-committer").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Returns when the write is decided and, if it changed anything, durable. */
    <W extends Write> W commit(W write) {
        if (!queue.add(write, thread)) throw refusal();
        write.await();
        return write;
    }

    private StoreException refusal() {
        Throwable cause = broken;
        return cause == null ? database.closed() : database.broken(cause);
    }

    private void run() {
        try (WriteOptions options = new WriteOptions().setSync(sync);
                WriteBatch batch = new WriteBatch()) {
            while (queue.takeAll(waiting)) {
                while (!waiting.isEmpty()) commitNext(options, batch);
            }
        } catch (RocksDBException | RuntimeException | Error e) {
            breakDown(e);
        }
    }

    private void commitNext(WriteOptions options, WriteBatch batch) throws RocksDBException {
        fillGroup();
        Batch records = new Batch(database.rocks(), recent, counts);
        Instant now = clock.instant();
        for (Write write : group) decide(write, records, now);
        batch.clear();
        records.writeTo(batch);
        if (batch.count() > 0) {
            disk.write(database.rocks(), options, batch);
            records.written();
            commits.lazySet(commits.get() + 1);
            writes.lazySet(writes.get() + group.size());
        }
        for (Write write : group) write.settle();
        group.clear();
    }

    /** As many of the oldest writes as one commit takes: bounded, so that none waits long behind bodies of others. */
    private void fillGroup() {
        long bytes = 0;
        do {
            Write write = waiting.remove();
            group.add(write);
            bytes += write.bytes();
        } while (!waiting.isEmpty() && group.size() < MOST_WRITES && bytes < MOST_BYTES);
    }

    /** A record that cannot be read, or a wish that cannot be granted, is the trouble of that one caller. */
    private void decide(Write write, Batch records, Instant now) {
        try {
            write.decide(records, now);
        } catch (RocksDBException e) {
            write.refuse(() -> database.unreadable(e));
        } catch (RuntimeException e) {
            write.refuse(() -> e);
        }
    }

    private void breakDown(Throwable cause) {
        broken = cause;
        queue.shut(waiting);
        for (Write write : group) write.refuse(() -> database.unknown(cause));
        for (Write write : waiting) write.refuse(() -> database.broken(cause));
    }

    /** How many records there are of this tenant. */
    long count(String tenant) {
        return counts.of(tenant, database, this);
    }

    /** How many commits there were, and how many writes they carried. */
    CommitCount count() {
        return new CommitCount(commits.get(), writes.get());
    }

    int queued() {
        return queue.size();
    }

    /** Finishes what is queued, and returns when nothing writes any more. */
    @Override
    public void close() {
        queue.stop(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }
}
