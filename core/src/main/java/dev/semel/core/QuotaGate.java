package dev.semel.core;

import dev.semel.core.store.KeyStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Lets each tenant in as far as its quotas go. */
final class QuotaGate {
    private static final Claim.OverQuota ATTEMPTS = new Claim.OverQuota("in-flight", ClaimRules.RETRY_SOON);

    /** Keys come back only when their time is up, and somebody has cleaned the store. */
    private static final Claim.OverQuota KEYS = new Claim.OverQuota("keys", Duration.ofMinutes(1));

    private final TenantPlaces attempts;
    private final KeptKeys kept;

    QuotaGate(KeyStore store, Quotas quotas) {
        this.attempts = new TenantPlaces(quotas.inFlight());
        this.kept = new KeptKeys(store, quotas.keys());
    }

    Visit visit(ClaimRequest request) {
        return new Visit(request.id().tenant(), !request.heldElsewhere());
    }

    /** The place of one attempt. Giving it back twice is giving it back once. */
    final class Permit implements AutoCloseable {
        private final String tenant;
        private final AtomicBoolean open = new AtomicBoolean(true);

        private Permit(String tenant) {
            this.tenant = tenant;
        }

        @Override
        public void close() {
            if (open.compareAndSet(true, false)) attempts.giveBack(tenant);
        }
    }

    /** One claim on its way through. What it was given and has not handed on is given back when it ends. */
    final class Visit implements AutoCloseable {
        private final String tenant;
        private final boolean runsHere;
        private @Nullable Permit permit;
        private boolean keyLetIn;

        private Visit(String tenant, boolean runsHere) {
            this.tenant = tenant;
            this.runsHere = runsHere;
        }

        /** Whether even a new key may be claimed. If not, look first: a duplicate is never refused. */
        boolean hasPlenty() {
            if (!mayRun()) return false;
            if (!keyLetIn) keyLetIn = kept.takeOfPlenty(tenant);
            return keyLetIn;
        }

        /** For a key that the store does not have: what is in the way of claiming it; null when nothing is. */
        Claim.@Nullable OverQuota refusalOfNew() {
            if (!mayRun()) return ATTEMPTS;
            if (!keyLetIn) keyLetIn = kept.take(tenant);
            return keyLetIn ? null : KEYS;
        }

        /** For a key that the store has, and that may run again. */
        Claim.@Nullable OverQuota refusalOfAgain() {
            return mayRun() ? null : ATTEMPTS;
        }

        private boolean mayRun() {
            if (!runsHere || permit != null) return true;
            if (!attempts.take(tenant)) return false;
            permit = new Permit(tenant);
            return true;
        }

        /** Whoever waits runs nothing, and takes nobody's place. */
        void stepAside() {
            if (permit != null) permit.close();
            permit = null;
        }

        /** The claim is granted: from now on the place is the lease's. Null when it runs elsewhere. */
        @Nullable
        Permit handOn() {
            Permit handed = permit;
            permit = null;
            return handed;
        }

        @Override
        public void close() {
            stepAside();
        }
    }
}
