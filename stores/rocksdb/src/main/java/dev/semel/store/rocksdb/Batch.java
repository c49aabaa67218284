package dev.semel.store.rocksdb;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * The records that one commit is about. Each is read once, the first time it is asked for; later writes of the same
 * commit see what earlier ones have made of it.
 */
final class Batch {
    private final RocksDB rocks;
    private final RecentClaims recent;
    private final TenantCounts counts;
    private final Map<ByteBuffer, BatchEntry> entries = new HashMap<>();

    Batch(RocksDB rocks, RecentClaims recent, TenantCounts counts) {
        this.rocks = rocks;
        this.recent = recent;
        this.counts = counts;
    }

    /** @throws RocksDBException when the record cannot be read, which is not the same as that there is none */
    BatchEntry entry(byte[] address) throws RocksDBException {
        ByteBuffer key = ByteBuffer.wrap(address);
        BatchEntry entry = entries.get(key);
        if (entry == null) {
            byte[] claim = recent.get(key);
            entry = new BatchEntry(address, claim == null ? rocks.get(address) : claim);
            entries.put(key, entry);
        }
        return entry;
    }

    void writeTo(WriteBatch batch) throws RocksDBException {
        for (BatchEntry entry : entries.values()) entry.writeTo(batch);
    }

    /** All that this was about is on disk now. */
    void written() {
        entries.forEach((address, entry) -> {
            recent.written(address, entry.head());
            counts.written(entry.before(), entry.head());
        });
    }
}
