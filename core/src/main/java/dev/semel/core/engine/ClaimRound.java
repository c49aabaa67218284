package dev.semel.core.engine;

import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.rules.ClaimRules;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.Next;
import dev.semel.core.store.Ruling;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.waiting.InFlightWait;
import dev.semel.core.waiting.InFlightWait.News;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One claim on its way: from look to look until there is an answer. What is there is judged by {@link ClaimRules}, and
 * judged again when it has moved on meanwhile. How a key is taken is up to the kind of claim.
 */
abstract class ClaimRound {
    private static final int MOST_LOST_RACES = 64;

    final ClaimLoop loop;
    final ClaimRequest request;
    final ClaimPolicy policy;
    final String holder;
    final InFlightWait wait;

    /** What the last look showed. */
    @Nullable
    Seen seen;

    private boolean probed;
    private int lostRaces;

    ClaimRound(ClaimLoop loop, ClaimRequest request, String holder, InFlightWait wait) {
        this.loop = loop;
        this.request = request;
        this.policy = request.policy();
        this.holder = holder;
        this.wait = wait;
    }

    /** Takes a key that is there, as the rules say that it may be; null when it has moved on. */
    abstract @Nullable Claim take(Seen present, Change change);

    /** @return null when it has to be judged again, by what was seen meanwhile */
    final @Nullable Claim judge(Seen present) {
        if (present.record().state() instanceof KeyState.Held held && held.isSeal())
            throw StoreException.notApplied("The key has moved to another store: " + request.id(), null);
        return switch (ClaimRules.onClaim(present, request, holder)) {
            case Ruling.Answer<Claim>(Claim.InProgress running) -> awaitEnd(running);
            case Ruling.Answer<Claim>(Claim.InDoubt doubt) -> awaitProbe(doubt, present);
            case Ruling.Answer<Claim>(Claim answer) -> answer;
            case Ruling.Become<Claim>(Change change) -> {
                if (++lostRaces > MOST_LOST_RACES)
                    throw StoreException.notApplied(
                            "The key changes faster than it can be claimed: " + request.id(), null);
                yield change.next() instanceof Next.Held ? take(present, change) : expire(present, change);
            }
        };
    }

    final @Nullable Claim awaitEnd(Claim.InProgress running) {
        return switch (awaitNews()) {
            case News.Judge(Seen news) -> {
                see(news);
                yield null;
            }
            case News.TimeIsUp up -> running;
            case News.NoRoom full -> new Claim.TooManyWaiters(running.retryAfter());
        };
    }

    News awaitNews() {
        return wait.await();
    }

    /** Asks the probe if that is due; else waits for it, if it is due before the wait is over. */
    private @Nullable Claim awaitProbe(Claim.InDoubt doubt, Seen inDoubt) {
        Seen found = probed && wait.isOver() ? null : loop.doubts.probe(inDoubt, policy);
        probed = true;
        if (found != null) {
            see(found);
            return null;
        }
        Duration due = untilProbe(inDoubt);
        if (due == null) return doubt;
        // Whoever asks here tells what it found, long before another could set out.
        News told = loop.doubts.isAsking(request.id()) ? wait.await() : wait.awaitProbe(due);
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
        moved(news);
        lostRaces = 0;
    }

    /** The key is no longer as it was seen. */
    void moved(@Nullable Seen current) {
        seen = current;
    }

    /** This claim found the holder silent; what it is told itself is judged next. */
    private @Nullable Claim expire(Seen present, Change change) {
        switch (loop.store.replace(present.record(), change)) {
            case Replaced.Swapped(KeyRecord written) -> {
                loop.rooms.tell(written);
                loop.doubts.fellIntoDoubtAtClaim(written);
                seen = new Seen(written, written.since());
            }
            case Replaced.Moved(Seen current) -> moved(current);
        }
        return null;
    }
}
