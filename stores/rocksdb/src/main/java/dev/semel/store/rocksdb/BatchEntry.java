package dev.semel.store.rocksdb;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** One record within a commit: what it was before, and what the writes so far have made of it. */
final class BatchEntry {
    private final byte[] address;
    private final byte @Nullable [] before;
    private byte @Nullable [] head;
    private byte @Nullable [] body;

    BatchEntry(byte[] address, byte @Nullable [] before) {
        this.address = address;
        this.before = before;
        this.head = before;
    }

    byte @Nullable [] before() {
        return before;
    }

    byte @Nullable [] head() {
        return head;
    }

    void put(KeyRecord record, byte[] encoded) {
        head = encoded;
        body = RecordHead.hasSeparateBody(encoded) && record.state() instanceof KeyState.Done done
                ? done.outcome().encoded()
                : null;
    }

    void remove() {
        head = null;
        body = null;
    }

    void writeTo(WriteBatch batch) throws RocksDBException {
        if (head == before) return;
        if (before != null && RecordHead.hasSeparateBody(before)) batch.delete(RecordCodec.bodyKey(address, before));
        if (head == null) {
            batch.delete(address);
            return;
        }
        batch.put(address, head);
        if (body != null) batch.put(RecordCodec.bodyKey(address, head), body);
    }
}
