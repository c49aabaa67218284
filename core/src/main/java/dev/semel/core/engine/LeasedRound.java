package dev.semel.core.engine;

import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.quota.TenantQuotas;
import dev.semel.core.quota.TenantQuotas.Entry;
import dev.semel.core.rules.ClaimRules;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.time.EngineTime;
import dev.semel.core.waiting.InFlightWait;
import org.jspecify.annotations.Nullable;

/** A claim of a key with a lease. A fresh key takes one step: insert. */
final class LeasedRound extends ClaimRound {
    private static final int MOST_LOST_ANSWERS = 2;

    private boolean looked;
    private int lostAnswers;
    private EngineTime.Reading began;

    LeasedRound(ClaimLoop loop, ClaimRequest request, String holder, InFlightWait wait) {
        super(loop, request, holder, wait);
        this.began = loop.time.read();
    }

    Claim answer() {
        boolean granted = false;
        try {
            Claim answer = run();
            granted = answer instanceof Claim.Granted;
            return answer;
        } finally {
            // Whatever the last try met, an earlier one may be written, now or later, and nobody holds it then.
            if (!granted && lostAnswers > 0) loop.givenUp.release(request, holder);
        }
    }

    private Claim run() {
        while (true) {
            began = loop.time.read();
            try {
                Claim answer = seen == null ? insert() : isMine(seen) ? takeUp(seen) : judge(seen);
                if (answer != null) return answer;
            } catch (StoreException e) {
                // C1: the claim may be written already. Inserting again tells: what is there now is either still
                // someone else's, or carries the name of this very claim.
                boolean lost = e.applied() == StoreException.Applied.UNKNOWN;
                if (lost) lostAnswers++;
                if (!lost || lostAnswers > MOST_LOST_ANSWERS) throw e;
                moved(null);
            }
        }
    }

    /** The way of a fresh key. */
    private @Nullable Claim insert() {
        TenantQuotas.Write write = looked ? TenantQuotas.Write.NEW : TenantQuotas.Write.PERHAPS_NEW;
        return switch (loop.quotas.enter(request, write)) {
            case Entry.Refused it -> it.answer();
            case Entry.LookFirst it -> {
                seen = loop.store.find(request.id());
                looked = true;
                yield null;
            }
            case Entry.Open(TenantQuotas.Permit permit) -> {
                try (permit) {
                    yield insert(permit);
                }
            }
        };
    }

    private @Nullable Claim insert(TenantQuotas.Permit permit) {
        switch (loop.store.insert(firstClaim())) {
            case Inserted.Fresh(KeyRecord record) -> {
                return grant(record, permit);
            }
            case Inserted.Existing(Seen present) -> seen = present;
            case Inserted.Busy it -> {
                permit.close();
                return awaitEnd(new Claim.InProgress(loop.time.instant(), ClaimRules.RETRY_SOON));
            }
        }
        return null;
    }

    private NewKey firstClaim() {
        return new NewKey(
                request.id(),
                request.fingerprint(),
                holder,
                policy.lease(),
                policy.guarantee(),
                request.remote(),
                request.memo());
    }

    private boolean isMine(Seen present) {
        return present.record().state() instanceof KeyState.Held it
                && it.holder().equals(holder);
    }

    /** Written earlier, perhaps long ago: a renewal shows that it still counts, and from when. */
    private @Nullable Claim takeUp(Seen mine) {
        return take(mine, ClaimRules.renewal(mine.record(), policy.lease()));
    }

    @Override
    @Nullable
    Claim take(Seen present, Change change) {
        return switch (loop.quotas.enter(request, TenantQuotas.Write.AGAIN)) {
            case Entry.Refused it -> it.answer();
            case Entry.LookFirst it -> throw new IllegalStateException("A key that is there was looked at.");
            case Entry.Open(TenantQuotas.Permit permit) -> {
                try (permit) {
                    yield swap(present, change, permit);
                }
            }
        };
    }

    private @Nullable Claim swap(Seen present, Change change, TenantQuotas.Permit permit) {
        switch (loop.store.replace(present.record(), change)) {
            case Replaced.Swapped(KeyRecord written) -> {
                return grant(written, permit);
            }
            case Replaced.Moved(Seen current) -> moved(current);
        }
        return null;
    }

    @Override
    void moved(@Nullable Seen current) {
        super.moved(current);
        looked = false;
    }

    private Claim.Granted grant(KeyRecord record, TenantQuotas.Permit permit) {
        return new Claim.Granted(request.remote() ? remoteLease(record) : localLease(record, permit.keep()));
    }

    private HeldLease localLease(KeyRecord record, TenantQuotas.Permit permit) {
        HeldLease[] lease = new HeldLease[1];
        lease[0] = new HeldLease(loop.writes, record, policy, loop.time, began, () -> {
            loop.held.remove(lease[0]);
            permit.giveBack();
        });
        loop.held.add(lease[0]);
        return lease[0];
    }

    private HeldLease remoteLease(KeyRecord record) {
        return new HeldLease(loop.writes, record, policy, loop.time, began, () -> {});
    }
}
