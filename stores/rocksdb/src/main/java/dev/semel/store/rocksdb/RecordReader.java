package dev.semel.store.rocksdb;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.StoreException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads records, on the thread of whoever asks. */
final class RecordReader {
    private final Database database;

    RecordReader(Database database) {
        this.database = database;
    }

    /**
     * What is visible here is durable: RocksDB writes and syncs the log first, then fills the memory table, and moves
     * the sequence number that readers go by last ({@code DBImpl::WriteImpl}).
     */
    @Nullable
    KeyRecord find(KeyId id) {
        byte[] head = database.get(id.digest());
        while (head != null && RecordHead.hasSeparateBody(head)) {
            byte[] body = database.get(RecordCodec.bodyKey(id.digest(), head));
            if (body != null) return RecordCodec.decode(head, id, body);
            // A body goes together with its record: without it, the record must have moved on between the two looks.
            byte[] now = database.get(id.digest());
            if (Arrays.equals(now, head))
                throw StoreException.notApplied("The outcome of " + id + " is missing from the store.", null);
            head = now;
        }
        return head == null ? null : RecordCodec.decode(head, id, null);
    }
}
