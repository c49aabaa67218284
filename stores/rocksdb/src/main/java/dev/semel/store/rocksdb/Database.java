package dev.semel.store.rocksdb;

import dev.semel.core.store.StoreException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.FlushOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * The open RocksDB with all that is native. Whoever reads is counted in and out, so that closing waits for readers and
 * none ever touches freed memory. Only the committer writes and reopens, and it has ended before this is closed.
 */
final class Database implements AutoCloseable {
    private final Path dir;
    private final ReadOptions scanOptions = new ReadOptions().setFillCache(false);
    private final StampedLock inUse = new StampedLock();
    private BooleanSupplier hangs = () -> false;
    private volatile @Nullable OpenRocks open;
    private volatile boolean reopening;
    private volatile boolean closing;

    Database(Path dir, OpenRocks open) {
        this.dir = dir;
        this.open = open;
    }

    /** From now on reads are refused while this holds. One that went to a disk that hangs would never come back. */
    void readUnless(BooleanSupplier hangs) {
        this.hangs = hangs;
    }

    Path dir() {
        return dir;
    }

    /** The value under this key; a failed read throws and is never taken for a missing value. */
    byte @Nullable [] get(byte[] key) {
        long stamp = enter();
        try {
            return rocks().get(key);
        } catch (RocksDBException e) {
            throw unreadable(e);
        } finally {
            inUse.unlockRead(stamp);
        }
    }

    /** Goes over the records in the order of their digests, from just after this one on; from the first when null. */
    <T> T scan(byte @Nullable [] after, Function<RecordScan, T> along) {
        return scan(() -> beginScan(after), along);
    }

    /** The same, along a scan that someone else begins. */
    <T> T scan(Supplier<RecordScan> begin, Function<RecordScan, T> along) {
        long stamp = enter();
        try (RecordScan scan = begin.get()) {
            return along.apply(scan);
        } finally {
            inUse.unlockRead(stamp);
        }
    }

    /** For the committer, and for those who are counted in. The scan sees what is written by now, and nothing later. */
    RecordScan beginScan(byte @Nullable [] after) {
        return new RecordScan(rocks().newIterator(scanOptions), after, this);
    }

    /** Begins to move what is in memory to files, and does not wait for it. */
    void flush() {
        long stamp = enter();
        try (FlushOptions start = new FlushOptions().setWaitForFlush(false)) {
            rocks().flush(start);
        } catch (RocksDBException e) {
            throw StoreException.notApplied("The store in " + dir + " could not be flushed: " + e.getMessage(), e);
        } finally {
            inUse.unlockRead(stamp);
        }
    }

    /** For the committer, and for those who are counted in. */
    RocksDB rocks() {
        OpenRocks now = open;
        if (now == null) throw reopening();
        return now.rocks();
    }

    private long enter() {
        checkOpen();
        if (hangs.getAsBoolean()) throw hanging();
        long stamp = inUse.tryReadLock();
        if (stamp != 0 && !closing && !reopening) return stamp;
        if (stamp != 0) inUse.unlockRead(stamp);
        throw closing ? closed() : reopening();
    }

    void checkOpen() {
        if (closing) throw closed();
        if (reopening) throw reopening();
    }

    /**
     * For the committer alone: closes and opens it again, so that it has what is on disk, and nothing else. RocksDB writes
     * all that it finds in its log to tables, with a sync, before it is open: also what an earlier sync has failed for.
     *
     * @throws IllegalStateException when it cannot be opened; then nobody reads until it can
     */
    void reopen() {
        reopening = true;
        long stamp = 0;
        try {
            // Not for ever: one of those who read may be waiting for the committer.
            stamp = inUse.tryWriteLock(1, TimeUnit.SECONDS);
            if (stamp == 0) throw reopening();
            OpenRocks before = open;
            open = null;
            if (before != null) before.close();
            open = StoreFolder.openPrepared(dir);
        } catch (InterruptedException e) {
            throw reopening();
        } finally {
            reopening = open == null;
            if (stamp != 0) inUse.unlockWrite(stamp);
        }
    }

    StoreException closed() {
        return StoreException.notApplied("The store in " + dir + " is closed.", null);
    }

    StoreException unreadable(RocksDBException e) {
        return StoreException.notApplied("The store in " + dir + " could not be read: " + e.getMessage(), e);
    }

    StoreException unknown(Throwable cause) {
        return StoreException.unknown(
                "A write to the store in " + dir + " failed, and may or may not be on disk: " + cause.getMessage(),
                cause);
    }

    StoreException broken(Throwable cause) {
        return StoreException.notApplied(
                "The store in " + dir + " takes no writes, because one failed (" + cause.getMessage()
                        + "). It opens itself again as soon as its disk takes writes.",
                cause);
    }

    StoreException reopening() {
        return StoreException.notApplied("The store in " + dir + " is being opened again after a failed write.", null);
    }

    StoreException hanging() {
        return StoreException.notApplied("The disk under the store in " + dir + " does not answer.", null);
    }

    StoreException abandoned() {
        return StoreException.unknown(
                "The disk under the store in " + dir + " does not answer; the write may still happen.", null);
    }

    /** Rewrites everything now, so that what was removed leaves the disk. */
    void compact() throws RocksDBException {
        try (FlushOptions flush = new FlushOptions()) {
            rocks().flush(flush);
        }
        rocks().compactRange();
    }

    @Override
    public void close() {
        closing = true;
        long stamp = inUse.writeLock();
        try {
            scanOptions.close();
            OpenRocks last = open;
            open = null;
            if (last != null) last.close();
        } finally {
            inUse.unlockWrite(stamp);
        }
    }
}
