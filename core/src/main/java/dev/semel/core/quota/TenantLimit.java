package dev.semel.core.quota;

import java.util.concurrent.ConcurrentHashMap;

/** So many places for each tenant. Knows only tenants that have one taken; keys without a tenant need none. */
public final class TenantLimit {
    private final ConcurrentHashMap<String, Integer> taken = new ConcurrentHashMap<>();
    private final int most;

    public TenantLimit(int most) {
        this.most = most;
    }

    /** False when all are taken. */
    public boolean take(String tenant) {
        if (isUnlimited(tenant)) return true;
        boolean[] got = {true};
        taken.compute(tenant, (name, before) -> {
            int now = before == null ? 0 : before;
            got[0] = now < most;
            if (got[0]) return now + 1;
            return before;
        });
        return got[0];
    }

    public void giveBack(String tenant) {
        if (isUnlimited(tenant)) return;
        taken.computeIfPresent(tenant, (name, now) -> now == 1 ? null : now - 1);
    }

    private boolean isUnlimited(String tenant) {
        return most == Integer.MAX_VALUE || tenant.isEmpty();
    }
}
