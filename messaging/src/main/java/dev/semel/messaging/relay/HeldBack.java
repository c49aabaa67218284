package dev.semel.messaging.relay;

import dev.semel.core.time.EngineTime;
import dev.semel.messaging.message.OrderedKey;
import dev.semel.messaging.tables.OutboxTables.Holds;
import dev.semel.messaging.tables.OutboxTables.OutboxRow;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Messages that their broker refused, perhaps not for ever: they and their keys are left alone for a while, and other keys go on.
 * For the loop alone.
 */
final class HeldBack {
    private record Failures(int count, long until, OutboxRow row) {}

    private final EngineTime time;
    private final RelaySettings settings;
    private final Map<Long, Failures> failed = new HashMap<>();

    HeldBack(EngineTime time, RelaySettings settings) {
        this.time = time;
        this.settings = settings;
    }

    /** @return how often it has failed now */
    int failed(OutboxRow row) {
        int before =
                failed.containsKey(row.position()) ? failed.get(row.position()).count() : 0;
        long until = time.nanos() + settings.pause(before).toNanos();
        failed.put(row.position(), new Failures(before + 1, until, row));
        return before + 1;
    }

    /** It is sent, or parked, or somebody else's. */
    void forget(OutboxRow row) {
        if (!failed.isEmpty()) failed.remove(row.position());
    }

    void forgetShard(int shard) {
        failed.values().removeIf(it -> it.row().shard() == shard);
    }

    /** What must not be tried yet. */
    Holds now() {
        if (failed.isEmpty()) return Holds.NONE;
        Set<OrderedKey> keys = new HashSet<>();
        Set<Long> positions = new HashSet<>();
        for (Failures it : failed.values()) {
            if (time.nanos() - it.until() >= 0) continue;
            OrderedKey order = it.row().message().order();
            if (order == null) positions.add(it.row().position());
            else keys.add(order);
        }
        return new Holds(keys, positions);
    }
}
