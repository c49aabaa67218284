package dev.semel.store.rocksdb;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** A disk whose writes wait until they are let through, or fail. */
final class BlockingDisk implements Committer.Disk {
    /** Longer than any test holds it. */
    static final Duration LONG_TIMEOUT = Duration.ofMinutes(1);

    private final Semaphore begun = new Semaphore(0);
    private final Semaphore through = new Semaphore(0);
    private volatile boolean failing;

    @Override
    public void write(RocksDB rocks, WriteOptions options, WriteBatch batch) throws RocksDBException {
        begun.release();
        through.acquireUninterruptibly();
        if (failing) throw new RocksDBException("No space left on device");
        rocks.write(options, batch);
    }

    /** As long as writes fail, nothing else is taken either. */
    @Override
    public void check(Path dir) throws IOException {
        if (failing) throw new IOException("No space left on device");
    }

    /** Writes are let through again, once the store has noticed. */
    void failNoMore() {
        failing = false;
    }

    /** Returns when the committer has come to this write. */
    void awaitWrite() {
        begun.acquireUninterruptibly();
    }

    void letThrough(int writes) {
        through.release(writes);
    }

    void failFromNowOn() {
        failing = true;
        through.release(1_000_000);
    }

    void release() {
        through.release(1_000_000);
    }
}
