package dev.semel.store.rocksdb;

import dev.semel.core.store.StoreException;
import java.nio.file.Path;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.FlushOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * The open RocksDB with all that is native. Whoever reads is counted in and out, so that closing waits for readers and
 * none ever touches freed memory. Only the committer writes, and it has ended before this is closed.
 */
final class Database implements AutoCloseable {
    private final Path dir;
    private final RocksSettings settings;
    private final RocksDB rocks;
    private final ReadOptions walking = new ReadOptions().setFillCache(false);
    private final StampedLock inUse = new StampedLock();
    private volatile boolean closing;

    Database(Path dir, RocksSettings settings, RocksDB rocks) {
        this.dir = dir;
        this.settings = settings;
        this.rocks = rocks;
    }

    /** The value under this key; a failed read throws and is never taken for a missing value. */
    byte @Nullable [] get(byte[] key) {
        long stamp = enter();
        try {
            return rocks.get(key);
        } catch (RocksDBException e) {
            throw unreadable(e);
        } finally {
            inUse.unlockRead(stamp);
        }
    }

    /** Goes over the records in the order of their digests, from just after this one on; from the first when null. */
    <T> T walk(byte @Nullable [] after, Function<RecordWalk, T> along) {
        return walk(() -> beginWalk(after), along);
    }

    /** The same, along a walk that someone else begins. */
    <T> T walk(Supplier<RecordWalk> begin, Function<RecordWalk, T> along) {
        long stamp = enter();
        try (RecordWalk walk = begin.get()) {
            return along.apply(walk);
        } finally {
            inUse.unlockRead(stamp);
        }
    }

    /** For the committer, and for those who are counted in. The walk sees what is written by now, and nothing later. */
    RecordWalk beginWalk(byte @Nullable [] after) {
        return new RecordWalk(rocks.newIterator(walking), after, this);
    }

    /** Begins to move what is in memory to files, and does not wait for it. */
    void flush() {
        long stamp = enter();
        try (FlushOptions start = new FlushOptions().setWaitForFlush(false)) {
            rocks.flush(start);
        } catch (RocksDBException e) {
            throw StoreException.notApplied("The store in " + dir + " could not be flushed: " + e.getMessage(), e);
        } finally {
            inUse.unlockRead(stamp);
        }
    }

    /** For the committer alone. */
    RocksDB rocks() {
        return rocks;
    }

    private long enter() {
        long stamp = inUse.readLock();
        if (!closing) return stamp;
        inUse.unlockRead(stamp);
        throw closed();
    }

    void mustStayOpen() {
        if (closing) throw closed();
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
                "The store in " + dir + " takes no more writes, because one failed (" + cause.getMessage()
                        + "); reopen it to go on.",
                cause);
    }

    /** Rewrites everything now, so that what was removed leaves the disk. */
    void compact() throws RocksDBException {
        try (FlushOptions flush = new FlushOptions()) {
            rocks.flush(flush);
        }
        rocks.compactRange();
    }

    @Override
    public void close() {
        closing = true;
        long stamp = inUse.writeLock();
        try {
            walking.close();
            rocks.close();
            settings.close();
        } finally {
            inUse.unlockWrite(stamp);
        }
    }
}
