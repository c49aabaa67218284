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
    private final Map<ByteBuffer, Slot> slots = new HashMap<>();

    Batch(RocksDB rocks) {
        this.rocks = rocks;
    }

    /** @throws RocksDBException when the record cannot be read, which is not the same as that there is none */
    Slot slot(byte[] address) throws RocksDBException {
        ByteBuffer key = ByteBuffer.wrap(address);
        Slot slot = slots.get(key);
        if (slot == null) {
            slot = new Slot(address, rocks.get(address));
            slots.put(key, slot);
        }
        return slot;
    }

    void writeTo(WriteBatch batch) throws RocksDBException {
        for (Slot slot : slots.values()) slot.writeTo(batch);
    }
}
