package dev.semel.store.rocksdb;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The one thread that writes. It takes all that has queued up while the disk was busy, decides it write by write, and
 * puts it on disk with a single sync; only then do the callers learn anything.
 *
 * <p>A write that fails leaves open what is in the log. After it nothing is written any more, until the store was closed
 * and opened again: then what is on disk is known. That happens as soon as the disk takes writes.
 *
 * <p>A write that hangs holds up nobody for long: its callers are told that it may or may not happen, all others that
 * theirs will not.
 */
final class Committer implements AutoCloseable {
    private static final int MAX_WRITES = 1024;
    private static final int MAX_BYTES = 16 * 1024 * 1024;
    private static final long FIRST_REPAIR_NANOS = 250_000_000;
    private static final long LAST_REPAIR_NANOS = 4_000_000_000L;
    private static final Write[] NONE = {};

    /** The calls that reach the disk. */
    interface Disk {
        void write(RocksDB rocks, WriteOptions options, WriteBatch batch) throws RocksDBException;

        /** @throws IOException when the disk does not take writes */
        default void check(Path dir) throws IOException {
            DiskCheck.run(dir);
        }
    }

    private final Database database;
    private final Disk disk;
    private final boolean sync;
    private final Clock clock;
    private final CommitQueue queue = new CommitQueue();
    private final ArrayDeque<Write> waiting = new ArrayDeque<>();
    private final List<Write> group = new ArrayList<>();
    private final AtomicLong commits = new AtomicLong();
    private final AtomicLong writes = new AtomicLong();
    private final HangDetector hangs;
    private final Thread thread;
    private RecentClaims recent = new RecentClaims();
    private volatile TenantCounts counts = new TenantCounts();
    private volatile Write[] inFlight = NONE;
    private volatile @Nullable Throwable broken;
    private volatile IntConsumer onCommit = writes -> {};

    Committer(Database database, Disk disk, Durability durability, Clock clock, Duration timeout) {
        this.database = database;
        this.disk = disk;
        this.sync = durability == Durability.SYNC;
        this.clock = clock;
        this.hangs = new HangDetector(timeout, this::abandon);
        this.thread =
                Thread.ofPlatform().daemon().name("semel-rocksdb-committer").unstarted(this::run);
    }

    void start() {
        database.readUnless(hangs::isHanging);
        thread.start();
        hangs.start();
    }

    /** Returns when the write is decided and, if it changed anything, durable. */
    <W extends Write> W commit(W write) {
        if (hangs.isHanging()) throw database.hanging();
        Throwable cause = broken;
        if (cause != null) throw database.broken(cause);
        if (!queue.add(write, thread)) throw database.closed();
        write.await(database);
        return write;
    }

    /** Called while a commit hangs. */
    private void abandon() {
        for (Write write : inFlight) write.abandon();
        queue.abandon();
    }

    private void run() {
        try (WriteOptions options = new WriteOptions().setSync(sync);
                WriteBatch batch = new WriteBatch()) {
            while (queue.takeAll(waiting)) {
                if (broken != null) refuseWaiting();
                else if (!commitAll(options, batch)) repair();
            }
        }
    }

    /** @return whether all went well */
    private boolean commitAll(WriteOptions options, WriteBatch batch) {
        inFlight = waiting.toArray(NONE);
        try {
            while (!waiting.isEmpty()) commitNext(options, batch);
            return true;
        } catch (RocksDBException | RuntimeException | Error e) {
            breakDown(e);
            return false;
        } finally {
            inFlight = NONE;
            hangs.end();
        }
    }

    private void commitNext(WriteOptions options, WriteBatch batch) throws RocksDBException {
        hangs.begin();
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
        hangs.end();
        for (Write write : group) write.settle();
        undoAbandonedInserts();
        if (batch.count() > 0) onCommit.accept(group.size());
        group.clear();
    }

    /** As many of the oldest writes as one commit takes: bounded, so that none waits long behind bodies of others. */
    private void fillGroup() {
        long bytes = 0;
        do {
            Write write = waiting.remove();
            if (!write.take()) continue;
            group.add(write);
            bytes += write.bytes();
        } while (!waiting.isEmpty() && group.size() < MAX_WRITES && bytes < MAX_BYTES);
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

    /**
     * Claims whose callers were let go, and so run nothing. They are removed before anybody else's write is decided: their
     * leases may have run out while the disk hung, and then they would count as operations in doubt.
     */
    private void undoAbandonedInserts() {
        List<Write.Clean.Expired> unknown = new ArrayList<>(0);
        for (Write write : group) {
            Write.Clean.Expired undo =
                    write.isAbandoned() && write instanceof Write.Insert insert ? insert.undo() : null;
            if (undo != null) unknown.add(undo);
        }
        if (!unknown.isEmpty()) waiting.addFirst(new Write.Clean(unknown));
    }

    private void breakDown(Throwable cause) {
        broken = cause;
        for (Write write : group) write.refuse(() -> database.unknown(cause));
        group.clear();
        refuseWaiting();
    }

    private void refuseWaiting() {
        Throwable cause = broken;
        queue.drain(waiting);
        for (Write write : waiting) write.refuse(() -> database.broken(cause == null ? new IOException() : cause));
        waiting.clear();
    }

    /** Returns when the store is open again, or is to be closed. Meanwhile its last state can be read. */
    private void repair() {
        long pause = FIRST_REPAIR_NANOS;
        while (!queue.pause(pause)) {
            refuseWaiting();
            try {
                disk.check(database.dir());
                database.reopen();
                recent = new RecentClaims();
                counts = new TenantCounts();
                broken = null;
                return;
            } catch (IOException | RuntimeException | Error e) {
                broken = e;
                pause = Math.min(2 * pause, LAST_REPAIR_NANOS);
            }
        }
    }

    /** How many records there are of this tenant. */
    long count(String tenant) {
        return counts.of(tenant, database, this);
    }

    void onCommit(IntConsumer writes) {
        onCommit = writes;
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
        hangs.close();
        if (interrupted) Thread.currentThread().interrupt();
    }
}
