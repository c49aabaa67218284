package dev.semel.store.rocksdb;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The claims that were written last: what follows a claim is nearly always its completion, which then need not search
 * for it. Belongs to the committer; as nobody else writes, it is never out of date.
 */
final class RecentClaims {
    private static final int MAX_CLAIMS = 10_000;

    private final Map<ByteBuffer, byte[]> records = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, byte[]> eldest) {
            return size() > MAX_CLAIMS;
        }
    };

    byte @Nullable [] get(ByteBuffer address) {
        return records.get(address);
    }

    /** Takes note of what a commit has written; null when it removed the record. */
    void written(ByteBuffer address, byte @Nullable [] record) {
        if (record != null && RecordHead.isHeld(record)) records.put(address, record);
        else records.remove(address);
    }
}
