package dev.semel.store.rocksdb;

import java.util.concurrent.Semaphore;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** A disk whose writes wait until they are let through, or fail. */
final class HeldDisk implements Committer.Disk {
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
