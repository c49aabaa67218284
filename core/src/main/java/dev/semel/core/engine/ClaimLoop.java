package dev.semel.core.engine;

import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.SemelListener;
import dev.semel.core.doubt.Doubts;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.quota.TenantQuotas;
import dev.semel.core.quota.TenantQuotas.Entry;
import dev.semel.core.rules.ClaimRules;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Ruling;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.time.EngineTime;
import dev.semel.core.waiting.InFlightWait;
import dev.semel.core.waiting.InFlightWait.News;
import dev.semel.core.waiting.WaitingRooms;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a claim is answered. A fresh key takes one step: insert. Whatever was there before is judged by {@link ClaimRules},
 * and judged again when it has moved on meanwhile.
 */
public final class ClaimLoop {
    private static final int MOST_LOST_RACES = 64;
    private static final int MOST_LOST_ANSWERS = 2;

    private final KeyStore store;
    private final SemelListener listener;
    private final HeldLeases held;
    private final WaitingRooms rooms;
    private final HolderWrites writes;
    private final GivenUpClaims givenUp;
    private final Doubts doubts;
    private final TenantQuotas quotas;
    private final EngineTime time;
    private final HolderNames holders;

    public ClaimLoop(
            KeyStore store,
            SemelListener listener,
            HeldLeases held,
            WaitingRooms rooms,
            HolderWrites writes,
            GivenUpClaims givenUp,
            Doubts doubts,
            TenantQuotas quotas,
            EngineTime time) {
        this.store = store;
        this.listener = listener;
        this.held = held;
        this.rooms = rooms;
        this.writes = writes;
        this.givenUp = givenUp;
        this.doubts = doubts;
        this.quotas = quotas;
        this.time = time;
        this.holders = HolderNames.on(store);
    }

    public Claim claim(ClaimRequest request) {
        try (InFlightWait wait = rooms.waitFor(request.id(), request.policy().waitFor())) {
            String holder = request.remote() ? holders.nextRemote() : holders.next();
            Claim answer = new Round(request, holder, wait).answer();
            Duration waited = wait.waited();
            if (answer instanceof Claim.AlreadyDone done && !waited.isZero()) answer = done.after(waited);
            listener.on(new SemelEvent.Claimed(request.id(), answer, waited));
            return answer;
        }
    }

    /** One claim on its way: from look to look until there is an answer. */
    private final class Round {
        private final ClaimRequest request;
        private final ClaimPolicy policy;
        private final String holder;
        private final InFlightWait wait;
        private @Nullable Seen seen;
        private boolean looked;
        private boolean probed;
        private int lostRaces;
        private int lostAnswers;
        private EngineTime.Reading began = time.read();

        Round(ClaimRequest request, String holder, InFlightWait wait) {
            this.request = request;
            this.policy = request.policy();
            this.holder = holder;
            this.wait = wait;
        }

        Claim answer() {
            boolean granted = false;
            try {
                Claim answer = run();
                granted = answer instanceof Claim.Granted;
                return answer;
            } finally {
                // Whatever the last try met, an earlier one may be written, now or later, and nobody holds it then.
                if (!granted && lostAnswers > 0) givenUp.release(request, holder);
            }
        }

        private Claim run() {
            while (true) {
                began = time.read();
                try {
                    Claim answer = seen == null ? insert() : isMine(seen) ? takeUp(seen) : judge(seen);
                    if (answer != null) return answer;
                } catch (StoreException e) {
                    // C1: the claim may be written already. Inserting again tells: what is there now is either still
                    // someone else's, or carries the name of this very claim.
                    boolean lost = e.applied() == StoreException.Applied.UNKNOWN;
                    if (lost) lostAnswers++;
                    if (!lost || lostAnswers > MOST_LOST_ANSWERS) throw e;
                    seen = null;
                    looked = false;
                }
            }
        }

        /** The way of a fresh key. */
        private @Nullable Claim insert() {
            TenantQuotas.Write write = looked ? TenantQuotas.Write.NEW : TenantQuotas.Write.PERHAPS_NEW;
            switch (quotas.enter(request, write)) {
                case Entry.Refused it -> {
                    return it.answer();
                }
                case Entry.LookFirst it -> {
                    seen = store.find(request.id());
                    looked = true;
                }
                case Entry.Open(TenantQuotas.Permit permit) -> {
                    try (permit) {
                        switch (store.insert(firstClaim())) {
                            case Inserted.Fresh(KeyRecord record) -> {
                                return grant(record, permit);
                            }
                            case Inserted.Existing(Seen present) -> seen = present;
                        }
                    }
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
            return swap(mine, ClaimRules.renewal(mine.record(), policy.lease()));
        }

        private @Nullable Claim judge(Seen present) {
            return switch (ClaimRules.onClaim(present, request, holder)) {
                case Ruling.Answer<Claim>(Claim.InProgress running) -> awaitEnd(running);
                case Ruling.Answer<Claim>(Claim.InDoubt doubt) -> awaitProbe(doubt, present);
                case Ruling.Answer<Claim>(Claim answer) -> answer;
                case Ruling.Become<Claim>(Change change) -> {
                    if (++lostRaces > MOST_LOST_RACES)
                        throw StoreException.notApplied(
                                "The key changes faster than it can be claimed: " + request.id(), null);
                    yield swap(present, change);
                }
            };
        }

        private @Nullable Claim awaitEnd(Claim.InProgress running) {
            return switch (wait.await()) {
                case News.Judge(Seen news) -> {
                    see(news);
                    yield null;
                }
                case News.TimeIsUp up -> running;
                case News.NoRoom full -> new Claim.TooManyWaiters(running.retryAfter());
            };
        }

        /** Asks the probe if that is due; else waits for it, if it is due before the wait is over. */
        private @Nullable Claim awaitProbe(Claim.InDoubt doubt, Seen inDoubt) {
            Seen found = probed && wait.isOver() ? null : doubts.probe(inDoubt, policy);
            probed = true;
            if (found != null) {
                see(found);
                return null;
            }
            Duration due = untilProbe(inDoubt);
            if (due == null) return doubt;
            // Whoever asks here tells what it found, long before another could set out.
            News told = doubts.isAsking(request.id()) ? wait.await() : wait.awaitProbe(due);
            if (!(told instanceof News.Judge(Seen news))) return doubt;
            see(news);
            return null;
        }

        /** How long it takes until someone may ask about this doubt; null when nobody ever asks. */
        private @Nullable Duration untilProbe(Seen inDoubt) {
            return policy.probe() != null && inDoubt.record().state() instanceof KeyState.InDoubt it
                    ? Duration.between(inDoubt.now(), it.nextProbe())
                    : null;
        }

        private void see(@Nullable Seen news) {
            seen = news;
            looked = false;
            lostRaces = 0;
        }

        private @Nullable Claim swap(Seen present, Change change) {
            if (!(change.next() instanceof Next.Held)) return swap(present, change, null);
            return switch (quotas.enter(request, TenantQuotas.Write.AGAIN)) {
                case Entry.Refused it -> it.answer();
                case Entry.LookFirst it -> throw new IllegalStateException("A key that is there was looked at.");
                case Entry.Open(TenantQuotas.Permit permit) -> {
                    try (permit) {
                        yield swap(present, change, permit);
                    }
                }
            };
        }

        private @Nullable Claim swap(Seen present, Change change, TenantQuotas.@Nullable Permit permit) {
            switch (store.replace(present.record(), change)) {
                case Replaced.Swapped(KeyRecord written) -> {
                    if (permit != null) return grant(written, permit);
                    fellIntoDoubt(written);
                }
                case Replaced.Moved(Seen current) -> {
                    seen = current;
                    looked = false;
                }
            }
            return null;
        }

        /** This claim found the holder silent, and has just written so; what it is told itself is judged next. */
        private void fellIntoDoubt(KeyRecord record) {
            rooms.tell(record);
            doubts.fellIntoDoubtAtClaim(record);
            seen = new Seen(record, record.since());
        }

        private Claim.Granted grant(KeyRecord record, TenantQuotas.Permit permit) {
            return new Claim.Granted(request.remote() ? remoteLease(record) : localLease(record, permit.keep()));
        }

        private HeldLease localLease(KeyRecord record, TenantQuotas.Permit permit) {
            HeldLease[] lease = new HeldLease[1];
            lease[0] = new HeldLease(writes, record, policy, time, began, () -> {
                held.remove(lease[0]);
                permit.giveBack();
            });
            held.add(lease[0]);
            return lease[0];
        }

        private HeldLease remoteLease(KeyRecord record) {
            return new HeldLease(writes, record, policy, time, began, () -> {});
        }
    }
}
