package dev.semel.messaging.relay;

import dev.semel.core.time.EngineTime;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The shards that this relay has leased, and what is going on in each. Safe for use by any thread. */
final class HeldShards {
    private final EngineTime time;
    private final RelaySettings settings;
    private final Map<ShardLease, HeldShard> shards = new LinkedHashMap<>();

    HeldShards(EngineTime time, RelaySettings settings) {
        this.time = time;
        this.settings = settings;
    }

    synchronized List<ShardLease> leases() {
        return List.copyOf(shards.keySet());
    }

    /** Those that nothing is going on in and that are to be given back. */
    synchronized List<ShardLease> leavable() {
        return shards.values().stream()
                .filter(shard -> shard.leaving && !shard.busy)
                .map(shard -> shard.lease)
                .toList();
    }

    /** @return whether it is a new one */
    synchronized boolean renewed(ShardLease lease, long until) {
        HeldShard known = shards.get(lease);
        if (known == null) shards.put(lease, new HeldShard(lease, until));
        else known.until = until;
        return known == null;
    }

    /** So many more than the share of this relay are given back when they are idle. */
    synchronized void giveBack(int surplus) {
        int left = surplus;
        for (HeldShard shard : shards.values()) {
            shard.leaving = left > 0;
            left--;
        }
    }

    /** @return its publisher, to be closed; null when there is none */
    synchronized @Nullable Publisher remove(ShardLease lease) {
        HeldShard shard = shards.remove(lease);
        return shard == null ? null : shard.publisher;
    }

    synchronized boolean has(ShardLease lease) {
        return shards.containsKey(lease);
    }

    /** @return whether it is still held: if not, the publisher is of no use */
    synchronized boolean opened(ShardLease lease, Publisher publisher) {
        HeldShard shard = shards.get(lease);
        if (shard == null) return false;
        shard.publisher = publisher;
        return true;
    }

    /** Those of which something can be sent now: nobody else has them before then. */
    synchronized List<ShardLease> ready(long untilAfter) {
        List<ShardLease> ready = new ArrayList<>();
        for (HeldShard shard : shards.values())
            if (shard.publisher != null
                    && !shard.busy
                    && !shard.leaving
                    && shard.until - untilAfter > 0
                    && (shard.pausedUntil == Long.MIN_VALUE || time.nanos() - shard.pausedUntil >= 0))
                ready.add(shard.lease);
        return ready;
    }

    /** @return what to send with; null when the shard is lost */
    synchronized @Nullable Publisher begin(ShardLease lease) {
        HeldShard shard = shards.get(lease);
        if (shard == null) return null;
        shard.busy = true;
        return shard.publisher;
    }

    synchronized void end(Collection<ShardLease> leases) {
        for (ShardLease lease : leases) {
            HeldShard shard = shards.get(lease);
            if (shard != null) shard.busy = false;
        }
    }

    /** The broker takes nothing of it now. */
    synchronized void pause(ShardLease lease) {
        HeldShard shard = shards.get(lease);
        if (shard == null) return;
        long pause = settings.pause(shard.failures++).toNanos();
        shard.pausedUntil = time.nanos() + ThreadLocalRandom.current().nextLong(pause / 2, pause + 1);
    }

    synchronized void succeeded(ShardLease lease) {
        HeldShard shard = shards.get(lease);
        if (shard == null) return;
        shard.failures = 0;
        shard.pausedUntil = Long.MIN_VALUE;
    }
}
