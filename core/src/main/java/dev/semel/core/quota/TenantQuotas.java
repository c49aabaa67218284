package dev.semel.core.quota;

import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Quotas;
import dev.semel.core.rules.ClaimRules;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.time.EngineTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Lets each tenant in as far as its quotas go. Asked at one point only: right before a write that may grant a key. A
 * duplicate writes nothing, and so is never refused.
 */
public final class TenantQuotas {
    private static final Claim.OverQuota ATTEMPTS = new Claim.OverQuota("in-flight", ClaimRules.RETRY_SOON);

    /** Keys come back only when their time is up, and the sweep has come by. */
    private static final Claim.OverQuota KEYS = new Claim.OverQuota("keys", Duration.ofMinutes(1));

    private final TenantLimit attempts;
    private final @Nullable KeyCounts keys;

    /**
     * @param index null when the store has none
     * @throws IllegalStateException when kept keys are limited, and the store cannot count them
     */
    public TenantQuotas(Quotas quotas, @Nullable KeyIndex index, boolean counts, EngineTime time) {
        this.attempts = new TenantLimit(quotas.inFlight());
        this.keys = quotas.limitsKeys() ? counted(quotas, counts ? index : null, time) : null;
    }

    private static KeyCounts counted(Quotas quotas, @Nullable KeyIndex index, EngineTime time) {
        if (index == null)
            throw new IllegalStateException(
                    "A quota of kept keys needs a store that can count the keys of a tenant, and this one cannot.");
        index.prepareToCount();
        return new KeyCounts(index, quotas.keys(), time);
    }

    /** What is about to be written. */
    public enum Write {
        /** A first claim, of a key that may be there already. */
        PERHAPS_NEW,
        /** A first claim, of a key that was looked for and is not there. */
        NEW,
        /** Another claim of a key that is there. */
        AGAIN
    }

    /** What becomes of the wish to write. */
    public sealed interface Entry {
        /** It may be written. The permit must be closed, or kept by whoever was granted the key. */
        record Open(Permit permit) implements Entry {}

        /** The tenant may be over a quota: look whether this is a duplicate, then ask again. */
        record LookFirst() implements Entry {}

        record Refused(Claim.OverQuota answer) implements Entry {}
    }

    public Entry enter(ClaimRequest request, Write write) {
        String tenant = request.id().tenant();
        boolean runsHere = !request.remote();
        if (runsHere && !attempts.take(tenant))
            return write == Write.PERHAPS_NEW ? new Entry.LookFirst() : new Entry.Refused(ATTEMPTS);
        Permit permit = new Permit(tenant, runsHere);
        try {
            if (keys == null || write == Write.AGAIN || keys.takeOfPlenty(tenant)) return new Entry.Open(permit);
            if (write == Write.NEW && keys.take(tenant)) return new Entry.Open(permit);
        } catch (RuntimeException e) {
            permit.giveBack();
            throw e;
        }
        permit.giveBack();
        return write == Write.PERHAPS_NEW ? new Entry.LookFirst() : new Entry.Refused(KEYS);
    }

    /** The place of one attempt among those of its tenant. */
    public final class Permit implements AutoCloseable {
        private final String tenant;
        private final AtomicBoolean open;
        private boolean kept;

        private Permit(String tenant, boolean takesPlace) {
            this.tenant = tenant;
            this.open = new AtomicBoolean(takesPlace);
        }

        /** The key was granted: from now on closing changes nothing, and the holder gives the place back. */
        public Permit keep() {
            kept = true;
            return this;
        }

        /** Giving it back twice is giving it back once. */
        public void giveBack() {
            if (open.compareAndSet(true, false)) attempts.giveBack(tenant);
        }

        @Override
        public void close() {
            if (!kept) giveBack();
        }
    }
}
