package dev.semel.core;

import dev.semel.core.store.KeyStore;
import java.util.concurrent.ConcurrentHashMap;

/** About how many keys each tenant keeps; as exact as it must be, see {@link Quotas}. */
final class KeptKeys {
    private static final int MOST_TENANTS = 10_000;

    private final ConcurrentHashMap<String, KeyTally> tallies = new ConcurrentHashMap<>();
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

    /** Whatever is dropped is counted anew when it is asked for. */
    private KeyTally tally(String tenant) {
        KeyTally tally = tallies.computeIfAbsent(tenant, name -> new KeyTally(store, name, quota));
        if (tallies.size() > MOST_TENANTS)
            tallies.keySet().stream()
                    .filter(other -> !other.equals(tenant))
                    .findAny()
                    .ifPresent(tallies::remove);
        return tally;
    }
}
