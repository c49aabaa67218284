package dev.semel.core.quota;

import dev.semel.core.store.KeyIndex;
import dev.semel.core.time.EngineTime;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * About how many keys each tenant keeps; as exact as it must be, see {@code Quotas}. Knows so many tenants and no more,
 * whoever makes them up: the ones it drops are those that are counted anew at little cost, for they have few keys.
 */
final class KeyCounts {
    static final int MOST_TENANTS = 10_000;

    /** Among how many, the oldest, the one to drop is chosen. */
    private static final int CANDIDATES = 256;

    private final ConcurrentHashMap<String, TenantKeyCount> counts = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    /** All tenants of the counts, by when they came or were spared last. Guarded by the lock. */
    private final ArrayDeque<String> byAge = new ArrayDeque<>();

    private final KeyIndex index;
    private final long quota;
    private final EngineTime time;

    KeyCounts(KeyIndex index, long quota, EngineTime time) {
        this.index = index;
        this.quota = quota;
        this.time = time;
    }

    /** Lets one more key in if so many are left that nobody has to count. */
    boolean takeOfPlenty(String tenant) {
        return tenant.isEmpty() || count(tenant).takeOfPlenty();
    }

    /** Lets one more key in if there is room for it, counting when that is not clear. */
    boolean take(String tenant) {
        return tenant.isEmpty() || count(tenant).take();
    }

    private TenantKeyCount count(String tenant) {
        TenantKeyCount known = counts.get(tenant);
        return known == null ? newCount(tenant) : known;
    }

    private TenantKeyCount newCount(String tenant) {
        lock.lock();
        try {
            TenantKeyCount known = counts.get(tenant);
            if (known != null) return known;
            if (byAge.size() >= MOST_TENANTS) dropOne();
            TenantKeyCount count = new TenantKeyCount(index, tenant, quota, time);
            counts.put(tenant, count);
            byAge.add(tenant);
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** Whatever is dropped is counted anew when it is asked for. */
    private void dropOne() {
        String cheapest = byAge.remove();
        long least = costOf(cheapest);
        for (int i = 1; i < CANDIDATES && least > 0; i++) {
            String other = byAge.remove();
            long cost = costOf(other);
            byAge.add(cost < least ? cheapest : other);
            if (cost < least) cheapest = other;
            least = Math.min(cost, least);
        }
        counts.remove(cheapest);
    }

    private long costOf(String tenant) {
        TenantKeyCount count = counts.get(tenant);
        return count == null ? 0 : count.costOfCounting();
    }

    boolean knows(String tenant) {
        return counts.containsKey(tenant);
    }

    int size() {
        return counts.size();
    }
}
