package dev.semel.core.doubt;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.Probe.Finding;
import dev.semel.core.claim.ProbePlan;
import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.SemelListener;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.rules.ClaimRules;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.Ruling;
import dev.semel.core.store.Seen;
import dev.semel.core.store.SwapLoop;
import dev.semel.core.time.EngineTime;
import dev.semel.core.waiting.WaitingRooms;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Ends doubts: asks the probes of keys in doubt, when a claim comes and in the background, one asker per key in the whole
 * fleet. Before asking, the asker writes down that it does; whoever comes meanwhile finds that the time for the next
 * probe has not come yet. An asker that dies is replaced when its time is up.
 */
public final class Doubts implements AutoCloseable {
    /** How long the background leaves a doubt to the claim that found it. */
    private static final Duration LEFT_TO_CLAIM = Duration.ofSeconds(2);

    private static final ClaimPolicy AGAIN = ClaimPolicy.DEFAULT.withGuarantee(Guarantee.AT_LEAST_ONCE);

    private final KeyStore store;
    private final SwapLoop swaps;
    private final SemelListener listener;
    private final WaitingRooms rooms;
    private final Predicate<KeyRecord> isAtWorkHere;
    private final Predicate<Seen> isResumed;
    private final Function<KeyId, @Nullable ClaimPolicy> policies;
    private final EngineTime time;
    private final KeySchedule schedule;

    /** Keys whose probe is on its way from this process. */
    private final Set<KeyId> asking = ConcurrentHashMap.newKeySet();

    /**
     * @param isAtWorkHere whether the very attempt of a record is still at work in this process
     * @param isResumed whether someone here goes on with an attempt that fell silent, or has seen to it otherwise
     * @param policies what holds for keys that are looked at in the background
     */
    public Doubts(
            KeyStore store,
            SemelListener listener,
            WaitingRooms rooms,
            Predicate<KeyRecord> isAtWorkHere,
            Predicate<Seen> isResumed,
            Function<KeyId, @Nullable ClaimPolicy> policies,
            EngineTime time) {
        this.store = store;
        this.swaps = new SwapLoop(store);
        this.listener = listener;
        this.rooms = rooms;
        this.isAtWorkHere = isAtWorkHere;
        this.isResumed = isResumed;
        this.policies = policies;
        this.time = time;
        this.schedule = new KeySchedule("semel-doubts", this::look, listener, time);
    }

    /** A key has just fallen into doubt here. Doubts of remote holders are the sweep's to find when their time comes. */
    public void fellIntoDoubt(KeyRecord record) {
        fellIntoDoubt(record, Duration.ZERO);
    }

    /** The same at a claim, which asks the probe itself, if that is due; the background waits and sees. */
    public void fellIntoDoubtAtClaim(KeyRecord record) {
        fellIntoDoubt(record, LEFT_TO_CLAIM);
    }

    private void fellIntoDoubt(KeyRecord record, Duration atLeast) {
        listener.on(new SemelEvent.FellIntoDoubt(record));
        if (!(record.state() instanceof KeyState.InDoubt doubt) || record.remote()) return;
        Duration due = Duration.between(record.since(), doubt.nextProbe());
        schedule.add(record.id(), due.compareTo(atLeast) < 0 ? atLeast : due);
    }

    /** Looks into keys that the sweep came across, in the background: whose lease has run out, or that are in doubt. */
    public void lookInto(Collection<KeyId> due) {
        for (KeyId id : due) schedule.addIfAbsent(id);
    }

    /** Looks into a key again after that time. */
    public void lookInto(KeyId id, Duration in) {
        schedule.add(id, in);
    }

    /** What nobody could bring to an end is in doubt from now on, unless someone else wrote meanwhile. */
    public void giveUp(Seen silent, String reason) {
        if (ClaimRules.onGivenUp(silent, reason) instanceof Ruling.Become<Boolean>(Change change))
            expire(silent, change);
    }

    /** In the background, on a virtual thread. What is not due yet is put on the schedule again. */
    private void look(KeyId id) {
        Seen seen = store.find(id);
        ClaimPolicy policy = seen == null ? null : policyOf(seen.record());
        if (seen == null || policy == null || isAtWorkHere.test(seen.record())) return;
        if (isResumed.test(seen)) return;
        switch (ClaimRules.onExpiredLease(seen, policy)) {
            case Ruling.Become<Boolean>(Change change) -> expire(seen, change);
            case Ruling.Answer<Boolean> no -> {
                probeInTime(seen, policy);
                forgetAbandoned(seen, policy);
            }
        }
    }

    /** The keys of remote holders have other rules than the operations of this process. */
    private @Nullable ClaimPolicy policyOf(KeyRecord record) {
        ClaimPolicy policy = record.remote() ? null : policies.apply(record.id());
        if (policy != null) return policy;
        boolean again = record.state() instanceof KeyState.Held held && held.guarantee() == Guarantee.AT_LEAST_ONCE;
        if (again) return AGAIN;
        return record.remote() ? ClaimPolicy.DEFAULT : null;
    }

    /** Whoever else writes first is right: nothing is tried again, for the next sweep comes by. */
    private void forgetAbandoned(Seen seen, ClaimPolicy policy) {
        if (ClaimRules.onAbandoned(seen, policy) instanceof Ruling.Become<Boolean>(Change change)
                && store.replace(seen.record(), change) instanceof Replaced.Swapped(KeyRecord written)
                && written.state() instanceof KeyState.Free) {
            rooms.tell(written);
            listener.on(new SemelEvent.DoubtResolved(written, "semel", ClaimRules.FORGOTTEN));
            listener.on(new SemelEvent.DoubtEnded(written, SemelEvent.EndedBy.FORGOTTEN));
        }
    }

    /**
     * Lets a key whose holder is past its lease fall into doubt at once, for someone who waits for it.
     *
     * @return what is recorded now; null when there is no such key
     */
    public @Nullable Seen expireLease(KeyId id, ClaimPolicy policy) {
        Seen seen = store.find(id);
        if (seen == null || !(ClaimRules.onExpiredLease(seen, policy) instanceof Ruling.Become<Boolean>(Change change)))
            return seen;
        expire(seen, change);
        return store.find(id);
    }

    private void expire(Seen seen, Change change) {
        if (store.replace(seen.record(), change) instanceof Replaced.Swapped(KeyRecord record)) {
            rooms.tell(record);
            if (record.state() instanceof KeyState.InDoubt) fellIntoDoubt(record);
        }
    }

    private void probeInTime(Seen seen, ClaimPolicy policy) {
        if (!(seen.record().state() instanceof KeyState.InDoubt doubt)) return;
        ProbePlan plan = policy.probe();
        if (plan == null || doubt.probes() >= plan.attempts()) return;
        Seen after = probe(seen, policy);
        Seen latest = after == null ? seen : after;
        if (latest.record().state() instanceof KeyState.InDoubt still)
            schedule.add(latest.record().id(), Duration.between(latest.now(), still.nextProbe()));
    }

    /**
     * Asks the probe of a key in doubt, if it has one, it is due, and nobody else is asking.
     *
     * @return what is recorded now; null when nothing was asked
     */
    public @Nullable Seen probe(Seen seen, ClaimPolicy policy) {
        ProbePlan plan = policy.probe();
        // Who is still at work here may yet say what happens; a probe could only come too early.
        if (plan == null || isAtWorkHere.test(seen.record())) return null;
        return switch (ClaimRules.onProbe(seen, plan)) {
            case Ruling.Answer<Boolean> notNow -> null;
            case Ruling.Become<Boolean>(Change asking) ->
                switch (store.replace(seen.record(), asking)) {
                    case Replaced.Swapped(KeyRecord asked) -> probe(asked, plan, policy);
                    case Replaced.Moved moved -> moved.current();
                };
        };
    }

    private @Nullable Seen probe(KeyRecord asked, ProbePlan plan, ClaimPolicy policy) {
        // C7: written down that someone asks. Should this process die, another asks when the time for it is up.
        asking.add(asked.id());
        try {
            Finding finding = ask(plan, asked);
            listener.on(new SemelEvent.Probed(asked.id(), finding));
            // C8: found out, not yet recorded. Whoever asks next will find the same.
            return record(asked, finding, policy);
        } finally {
            asking.remove(asked.id());
        }
    }

    /** Whether news of this doubt will come from this process itself, and soon. */
    public boolean isAsking(KeyId id) {
        return asking.contains(id);
    }

    private @Nullable Seen record(KeyRecord asked, Finding finding, ClaimPolicy policy) {
        return switch (swaps.swap(
                asked,
                now -> ClaimRules.onFinding(now, asked, finding, policy, time.instant()),
                SwapLoop.Patience.NONE)) {
            case SwapLoop.Result.Written<Boolean> it -> tell(it.after());
            case SwapLoop.Result.Answered<Boolean> overtaken -> store.find(asked.id());
            case SwapLoop.Result.Unanswered<Boolean> it -> throw it.failure();
        };
    }

    private static Finding ask(ProbePlan plan, KeyRecord asked) {
        try {
            return plan.probe().ask(asked.id(), asked.memo());
        } catch (RuntimeException e) {
            return new Finding.StillUnknown("the probe failed: " + e.getMessage());
        }
    }

    private Seen tell(KeyRecord written) {
        boolean ended = !(written.state() instanceof KeyState.InDoubt);
        Seen seen = new Seen(written, ended ? written.since() : store.now());
        rooms.tell(seen);
        if (ended) listener.on(new SemelEvent.DoubtEnded(written, SemelEvent.EndedBy.PROBE));
        return seen;
    }

    @Override
    public void close() {
        schedule.close();
    }
}
