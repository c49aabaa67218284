package dev.semel.core.store;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;

/**
 * One life of a store that a single process has to itself, from opening to closing. Holders inside that process have
 * names that begin with the name of the life. So the next life knows that they are dead, whatever is left of their
 * leases.
 */
public final class StoreLife {
    private static final String MARK = "life:";

    private final String prefix;
    private final Instant began;

    private StoreLife(String prefix, Instant began) {
        this.prefix = prefix;
        this.began = began;
    }

    /** @param began by the store's clock */
    public static StoreLife begin(Instant began) {
        byte[] random = new byte[8];
        new SecureRandom().nextBytes(random);
        return new StoreLife(MARK + HexFormat.of().formatHex(random) + ":", began);
    }

    /** What the names of all holders begin with that die with this life. */
    public String holderPrefix() {
        return prefix;
    }

    /** The record as it counts in this life: the lease of a holder that died with an earlier one ended with it. */
    public KeyRecord asOf(KeyRecord record) {
        if (!(record.state() instanceof KeyState.Held held)
                || !died(held.holder())
                || !held.leaseUntil().isAfter(began)) return record;
        return record.with(record.memo(), new KeyState.Held(held.holder(), began, held.guarantee()));
    }

    private boolean died(String holder) {
        return holder.startsWith(MARK) && !holder.startsWith(prefix);
    }
}
