package dev.semel.store.rocksdb;

import dev.semel.core.key.KeyId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** One pass over records in the order of their digests. Steps over the bodies that stand apart without reading them. */
final class RecordScan implements AutoCloseable {
    private final RocksIterator entries;
    private final Database database;
    private byte @Nullable [] leaving;
    private byte[] address = {};
    private byte[] head = {};

    RecordScan(RocksIterator entries, byte @Nullable [] after, Database database) {
        this.entries = entries;
        this.leaving = after;
        this.database = database;
        if (after == null) entries.seekToFirst();
    }

    /** Goes to the next record; false at the end. */
    boolean next() {
        database.checkOpen();
        if (leaving != null) entries.seek(justAfter(leaving));
        else if (head.length > 0) entries.next();
        if (!entries.isValid()) {
            try {
                entries.status();
            } catch (RocksDBException e) {
                throw database.unreadable(e);
            }
            return false;
        }
        address = entries.key();
        head = entries.value();
        leaving = RecordHead.hasSeparateBody(head) ? address : null;
        return true;
    }

    byte[] address() {
        return address;
    }

    byte[] head() {
        return head;
    }

    /** Above every key that begins with this digest, and below the next digest. */
    private static byte[] justAfter(byte[] digest) {
        byte[] bound = Arrays.copyOf(digest, KeyId.DIGEST_BYTES + Long.BYTES + 1);
        Arrays.fill(bound, KeyId.DIGEST_BYTES, bound.length, (byte) 0xff);
        return bound;
    }

    @Override
    public void close() {
        entries.close();
    }
}
