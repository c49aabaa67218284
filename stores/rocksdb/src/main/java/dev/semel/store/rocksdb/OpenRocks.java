package dev.semel.store.rocksdb;

import org.rocksdb.RocksDB;

/** A RocksDB that is open, and its settings, which must outlive it. */
record OpenRocks(RocksSettings settings, RocksDB rocks) implements AutoCloseable {
    @Override
    public void close() {
        rocks.close();
        settings.close();
    }
}
