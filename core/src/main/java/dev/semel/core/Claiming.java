package dev.semel.core;

import dev.semel.core.ClaimRules.Ruling;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a claim is answered: insert or be told, judge what is there, and again when it has moved on meanwhile. */
final class Claiming {
    static final int MOST_LOST_RACES = 64;
    private static final int MOST_LOST_ANSWERS = 2;

    private final KeyStore store;
    private final SemelListener listener;
    private final LeaseKeeper keeper;
    private final WaitingRooms rooms;
    private final UnfinishedWork unfinished;
    private final Settling settling;
    private final DoubtWatch doubts;
    private final QuotaGate quotas;
    private final Duration retryPause;
    private final Stopwatch watch;
    private final HolderNames holders;

    Claiming(
            KeyStore store,
            SemelListener listener,
            LeaseKeeper keeper,
            WaitingRooms rooms,
            UnfinishedWork unfinished,
            Settling settling,
            DoubtWatch doubts,
            QuotaGate quotas,
            Duration retryPause,
            Stopwatch watch) {
        this.store = store;
        this.listener = listener;
        this.keeper = keeper;
        this.rooms = rooms;
        this.unfinished = unfinished;
        this.settling = settling;
        this.doubts = doubts;
        this.quotas = quotas;
        this.retryPause = retryPause;
        this.watch = watch;
        this.holders = HolderNames.on(store);
    }

    Claim claim(ClaimRequest request) {
        String holder = request.heldElsewhere() ? holders.nextElsewhere() : holders.next();
        Duration wait = request.policy().waitFor();
        try (InFlightWait waiting = new InFlightWait(rooms, keeper, store, request.id(), wait);
                QuotaGate.Visit visit = quotas.visit(request)) {
            Claim answer = claim(request, holder, waiting, visit);
            Duration waited = waiting.waited();
            if (answer instanceof Claim.AlreadyDone done && !waited.isZero()) answer = done.after(waited);
            listener.on(new SemelEvent.Claimed(request.id(), answer, waited));
            return answer;
        }
    }

    private Claim claim(ClaimRequest request, String holder, InFlightWait waiting, QuotaGate.Visit visit) {
        ClaimPolicy policy = request.policy();
        NewKey fresh = new NewKey(
                request.id(), request.fingerprint(), holder, policy.lease(), policy.guarantee(), request.memo());
        Seen seen = null;
        boolean probed = false;
        int lostRaces = 0;
        int lostAnswers = 0;
        while (true) {
            Stopwatch.Reading began = watch.read();
            try {
                if (seen == null && !visit.hasPlenty()) {
                    seen = store.find(request.id());
                    Claim.OverQuota refusal = seen == null ? visit.refusalOfNew() : null;
                    if (refusal != null) return refusal;
                }
                if (seen == null) {
                    switch (store.insert(fresh)) {
                        case Inserted.Fresh it -> {
                            return grant(it.record(), request, began, visit);
                        }
                        case Inserted.Existing it -> seen = it.seen();
                    }
                }
                if (isHeldBy(holder, seen)) {
                    // Written earlier, perhaps long ago: a renewal shows that it still counts, and from when.
                    switch (store.replace(
                            seen.record(),
                            ClaimRules.renewal(seen.record(), request.policy().lease()))) {
                        case Replaced.Swapped(KeyRecord it) -> {
                            return grant(it, request, began, visit);
                        }
                        case Replaced.Moved it -> seen = it.current();
                    }
                    continue;
                }
                switch (ClaimRules.onClaim(seen, request, holder)) {
                    case Ruling.Answer<Claim>(Claim.InProgress running) -> {
                        visit.stepAside();
                        switch (waiting.await()) {
                            case InFlightWait.News.Judge news -> {
                                seen = news.seen();
                                lostRaces = 0;
                            }
                            case InFlightWait.News.TimeIsUp up -> {
                                return running;
                            }
                            case InFlightWait.News.NoRoom full -> {
                                return new Claim.TooManyWaiters(running.retryAfter());
                            }
                        }
                    }
                    case Ruling.Answer<Claim>(Claim.InDoubt doubt) -> {
                        visit.stepAside();
                        Seen found = probed && waiting.isOver() ? null : doubts.probe(seen, policy);
                        probed = true;
                        if (found == null) {
                            Duration due = untilProbe(seen, policy);
                            if (due == null || !(waiting.awaitProbe(due) instanceof InFlightWait.News.Judge news))
                                return doubt;
                            found = news.seen();
                        }
                        seen = found;
                    }
                    case Ruling.Answer<Claim>(Claim answer) -> {
                        return answer;
                    }
                    case Ruling.Become<Claim>(var change) -> {
                        Claim.OverQuota refusal = change.next() instanceof Next.Held ? visit.refusalOfAgain() : null;
                        if (refusal != null) return refusal;
                        switch (store.replace(seen.record(), change)) {
                            case Replaced.Swapped(KeyRecord it)
                            when it.state() instanceof KeyState.Held -> {
                                return grant(it, request, began, visit);
                            }
                            case Replaced.Swapped(KeyRecord it) -> seen = inDoubtNow(it);
                            case Replaced.Moved it -> seen = it.current();
                        }
                        if (++lostRaces > MOST_LOST_RACES)
                            throw StoreException.notApplied(
                                    "The key changes faster than it can be claimed: " + request.id(), null);
                    }
                }
            } catch (StoreException e) {
                // C1: the claim may be written already. Inserting again tells: what is there now is either still
                // someone else's, or carries the name of this very claim.
                boolean lost = e.applied() == StoreException.Applied.UNKNOWN;
                if (lost) lostAnswers++;
                if (!lost || lostAnswers > MOST_LOST_ANSWERS) {
                    // Whatever the last try met, an earlier one may have been granted.
                    if (lostAnswers > 0) disown(request, holder);
                    throw e;
                }
                seen = null;
            }
        }
    }

    /** How long it takes until someone may ask about this doubt; null when nobody ever asks. */
    private static @Nullable Duration untilProbe(Seen seen, ClaimPolicy policy) {
        return policy.probe() != null && seen.record().state() instanceof KeyState.InDoubt doubt
                ? Duration.between(seen.now(), doubt.nextProbe())
                : null;
    }

    private static boolean isHeldBy(String holder, Seen seen) {
        return seen.record().state() instanceof KeyState.Held held
                && held.holder().equals(holder);
    }

    /** This claim found the holder silent, and has just written so; what it is told itself is judged next. */
    private Seen inDoubtNow(KeyRecord record) {
        Seen seen = new Seen(record, record.since());
        rooms.tell(record.id(), Optional.of(seen));
        doubts.beganAtClaim(record);
        return seen;
    }

    private Claim.Granted grant(
            KeyRecord record, ClaimRequest request, Stopwatch.Reading began, QuotaGate.Visit visit) {
        Lease lease = new Lease(settling, record, request.policy(), watch, began, visit.handOn());
        if (!request.heldElsewhere()) keeper.add(lease);
        return new Claim.Granted(lease);
    }

    /**
     * A claim ended without an answer from the store, and its caller runs nothing. Should the claim have been written
     * after all, its key must not stay held by nobody.
     */
    private void disown(ClaimRequest request, String holder) {
        long lease = request.policy().lease().toNanos();
        UnfinishedWork.Word word = new UnfinishedWork.Word(request.id(), 0, "that its claim was given up");
        boolean unused = unfinished.add(word, () -> {
            Backoff backoff = new Backoff(retryPause);
            long answersSince = 0;
            boolean answers = false;
            boolean told = false;
            while (unfinished.isOpen() && (!answers || System.nanoTime() - answersSince < lease)) {
                try {
                    @Nullable Seen seen = store.find(request.id());
                    if (seen != null && isHeldBy(holder, seen)) {
                        long token = seen.record().token();
                        settling.write(
                                seen.record(),
                                false,
                                now -> ClaimRules.onRelease(now, token, request.policy(), Instant.now()),
                                unfinished::isOpen);
                        return;
                    }
                    if (unfinished.isClosing()) return;
                    if (!answers) answersSince = System.nanoTime();
                    answers = true;
                } catch (StoreException e) {
                    // A store that hangs may write the claim when it goes on: the time counts from when it answers.
                    if (!told) listener.on(new SemelEvent.BackgroundTaskFailed("disown a claim without an answer", e));
                    told = true;
                    answers = false;
                }
                backoff.pause();
            }
        });
    }
}
