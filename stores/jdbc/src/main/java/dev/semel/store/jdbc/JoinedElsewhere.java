package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keys that a transaction of a caller's was seen to have, for as long as it is likely to go on. Any thread may ask. */
final class JoinedElsewhere {
    private static final long REMEMBERED_NANOS = 2_000_000_000;

    private final Map<KeyId, Long> until = new ConcurrentHashMap<>();

    void add(KeyId id) {
        long now = System.nanoTime();
        until.values().removeIf(each -> each - now < 0);
        until.put(id, now + REMEMBERED_NANOS);
    }

    boolean contains(KeyId id) {
        if (until.isEmpty()) return false;
        Long end = until.get(id);
        return end != null && end - System.nanoTime() > 0;
    }
}
