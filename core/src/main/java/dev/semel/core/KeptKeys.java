package dev.semel.core;

import dev.semel.core.store.KeyStore;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * About how many keys each tenant keeps; as exact as it must be, see {@link Quotas}. Knows so many tenants and no more,
 * whoever makes them up: the ones it drops are those that are counted anew at little cost, for they have few keys.
 */
final class KeptKeys {
    static final int MOST_TENANTS = 10_000;

    /** Among how many, the oldest, the one to drop is chosen. */
    private static final int CANDIDATES = 256;

    private final ConcurrentHashMap<String, KeyTally> tallies = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    /** All tenants of the tallies, by when they came or were spared last. Guarded by the lock. */
    private final ArrayDeque<String> byAge = new ArrayDeque<>();

    private final KeyStore store;
    private final long quota;

    KeptKeys(KeyStore store, long quota) {
        this.store = store;
        this.quota = quota;
    }

    /** Lets one more key in if so many are left that nobody has to count. */
    boolean takeOfPlenty(String tenant) {
        return isUnlimited(tenant) || tally(tenant).takeOfPlenty();
    }

    /** Lets one more key in if there is room for it, counting when that is not clear. */
    boolean take(String tenant) {
        return isUnlimited(tenant) || tally(tenant).take();
    }

    private boolean isUnlimited(String tenant) {
        return quota == Long.MAX_VALUE || tenant.isEmpty();
    }

    private KeyTally tally(String tenant) {
        KeyTally known = tallies.get(tenant);
        return known == null ? newTally(tenant) : known;
    }

    private KeyTally newTally(String tenant) {
        lock.lock();
        try {
            KeyTally known = tallies.get(tenant);
            if (known != null) return known;
            if (byAge.size() >= MOST_TENANTS) dropOne();
            KeyTally tally = new KeyTally(store, tenant, quota);
            tallies.put(tenant, tally);
            byAge.add(tenant);
            return tally;
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
        tallies.remove(cheapest);
    }

    private long costOf(String tenant) {
        KeyTally tally = tallies.get(tenant);
        return tally == null ? 0 : tally.costOfCounting();
    }

    boolean knows(String tenant) {
        return tallies.containsKey(tenant);
    }

    int size() {
        return tallies.size();
    }
}
