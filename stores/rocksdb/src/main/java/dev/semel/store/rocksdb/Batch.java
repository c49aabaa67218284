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
    private final Map<ByteBuffer, Slot> slots = new HashMap<>();

    Batch(RocksDB rocks, RecentClaims recent, TenantCounts counts) {
        this.rocks = rocks;
        this.recent = recent;
        this.counts = counts;
    }

    /** @throws RocksDBException when the record cannot be read, which is not the same as that there is none */
    Slot slot(byte[] address) throws RocksDBException {
        ByteBuffer key = ByteBuffer.wrap(address);
        Slot slot = slots.get(key);
        if (slot == null) {
            byte[] claim = recent.get(key);
            slot = new Slot(address, claim == null ? rocks.get(address) : claim);
            slots.put(key, slot);
        }
        return slot;
    }

    void writeTo(WriteBatch batch) throws RocksDBException {
        for (Slot slot : slots.values()) slot.writeTo(batch);
    }

    /** All that this was about is on disk now. */
    void written() {
        slots.forEach((address, slot) -> {
            recent.written(address, slot.head());
            counts.written(slot.before(), slot.head());
        });
    }
}
