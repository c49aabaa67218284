package dev.semel.core;

import dev.semel.core.ClaimRules.Ruling;
import dev.semel.core.Probe.Finding;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.Seen;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sees to keys in doubt: asks their probes, when a claim comes and in the background, one asker per key in the whole
 * fleet. Before asking, the asker writes down that it does; whoever comes meanwhile finds that the time for the next
 * probe has not come yet. An asker that dies is replaced when its time is up.
 */
final class DoubtWatch implements AutoCloseable {
    private static final Duration A_MOMENT = Duration.ofSeconds(2);
    private static final ClaimPolicy AGAIN = ClaimPolicy.DEFAULT.withGuarantee(Guarantee.AT_LEAST_ONCE);

    private final KeyStore store;
    private final SemelListener listener;
    private final WaitingRooms rooms;
    private final LeaseKeeper keeper;
    private final Function<KeyId, @Nullable ClaimPolicy> policies;
    private final Agenda agenda;

    DoubtWatch(
            KeyStore store,
            SemelListener listener,
            WaitingRooms rooms,
            LeaseKeeper keeper,
            Function<KeyId, @Nullable ClaimPolicy> policies) {
        this.store = store;
        this.listener = listener;
        this.rooms = rooms;
        this.keeper = keeper;
        this.policies = policies;
        this.agenda = new Agenda("semel-doubts", this::attend, listener);
    }

    /** Something has just fallen into doubt here. What a holder outside left is the sweep's to find when its time comes. */
    void began(KeyRecord record) {
        listener.on(new SemelEvent.FellIntoDoubt(record));
        if (record.state() instanceof KeyState.InDoubt doubt && !ClaimRules.isHeldElsewhere(record))
            agenda.add(record.id(), Duration.between(record.since(), doubt.nextProbe()));
    }

    /** The same at a claim, which asks the probe itself, if that is due; the background waits and sees. */
    void beganAtClaim(KeyRecord record) {
        listener.on(new SemelEvent.FellIntoDoubt(record));
        if (!(record.state() instanceof KeyState.InDoubt doubt) || ClaimRules.isHeldElsewhere(record)) return;
        Duration due = Duration.between(record.since(), doubt.nextProbe());
        agenda.add(record.id(), due.compareTo(A_MOMENT) < 0 ? A_MOMENT : due);
    }

    /** Keys that someone came across whose holder has fallen silent, or that are in doubt. */
    void found(Collection<KeyId> unsettled) {
        for (KeyId id : unsettled) agenda.addIfAbsent(id);
    }

    /** In the background, on a virtual thread. What is not due yet comes back on the agenda. */
    private void attend(KeyId id) {
        Seen seen = store.find(id);
        ClaimPolicy policy = seen == null ? null : policyOf(seen.record());
        if (seen == null || policy == null || keeper.isAtWorkOn(seen.record())) return;
        switch (ClaimRules.onSilence(seen, policy)) {
            case Ruling.Become<Boolean>(var change) -> fellSilent(seen, change);
            case Ruling.Answer<Boolean> no -> {
                probeInTime(seen, policy);
                endAbandoned(seen, policy);
            }
        }
    }

    /** What is held elsewhere has other rules than the routes of this process. */
    private @Nullable ClaimPolicy policyOf(KeyRecord record) {
        boolean elsewhere = ClaimRules.isHeldElsewhere(record);
        ClaimPolicy policy = elsewhere ? null : policies.apply(record.id());
        if (policy != null) return policy;
        boolean again = record.state() instanceof KeyState.Held held && held.guarantee() == Guarantee.AT_LEAST_ONCE;
        if (again) return AGAIN;
        return elsewhere ? ClaimPolicy.DEFAULT : null;
    }

    /** Whoever else writes first is right: nothing is tried again, for the next sweep comes by. */
    private void endAbandoned(Seen seen, ClaimPolicy policy) {
        if (ClaimRules.onAbandoned(seen, policy) instanceof Ruling.Become<Boolean>(var change)
                && store.replace(seen.record(), change) instanceof Replaced.Swapped(KeyRecord written)
                && written.state() instanceof KeyState.Free) {
            rooms.tell(written.id(), Optional.of(new Seen(written, written.since())));
            listener.on(new SemelEvent.DoubtResolved(written, "semel", ClaimRules.FORGOTTEN));
            listener.on(new SemelEvent.DoubtEnded(written, SemelEvent.EndedBy.FORGOTTEN));
        }
    }

    /** The same at once, for someone who waits for it. */
    @Nullable
    Seen settleSilence(KeyId id, ClaimPolicy policy) {
        Seen seen = store.find(id);
        if (seen == null || !(ClaimRules.onSilence(seen, policy) instanceof Ruling.Become<Boolean>(var change)))
            return seen;
        fellSilent(seen, change);
        return store.find(id);
    }

    private void fellSilent(Seen seen, Change change) {
        if (store.replace(seen.record(), change) instanceof Replaced.Swapped swapped) {
            KeyRecord record = swapped.record();
            rooms.tell(record.id(), Optional.of(new Seen(record, record.since())));
            if (record.state() instanceof KeyState.InDoubt) began(record);
        }
    }

    private void probeInTime(Seen seen, ClaimPolicy policy) {
        if (!(seen.record().state() instanceof KeyState.InDoubt doubt)) return;
        ProbePlan plan = policy.probe();
        if (plan == null || doubt.probes() >= plan.attempts()) return;
        Seen after = probe(seen, policy);
        Seen latest = after == null ? seen : after;
        if (latest.record().state() instanceof KeyState.InDoubt still)
            agenda.add(latest.record().id(), Duration.between(latest.now(), still.nextProbe()));
    }

    /**
     * Asks the probe of a key in doubt, if it has one, it is due, and nobody else is asking.
     *
     * @return what is recorded now; null when nothing was asked
     */
    @Nullable
    Seen probe(Seen seen, ClaimPolicy policy) {
        ProbePlan plan = policy.probe();
        // Who is still at work here may yet say what happens; a probe could only come too early.
        if (plan == null || keeper.isAtWorkOn(seen.record())) return null;
        return switch (ClaimRules.onProbe(seen, plan)) {
            case Ruling.Answer<Boolean> notNow -> null;
            case Ruling.Become<Boolean>(var asking) ->
                switch (store.replace(seen.record(), asking)) {
                    case Replaced.Swapped(KeyRecord asked) -> probe(asked, plan, policy);
                    case Replaced.Moved moved -> moved.current();
                };
        };
    }

    private @Nullable Seen probe(KeyRecord asked, ProbePlan plan, ClaimPolicy policy) {
        // C7: written down that someone asks. Should this process die, another asks when the time for it is up.
        Finding finding = ask(plan, asked);
        listener.on(new SemelEvent.Probed(asked.id(), finding));
        // C8: found out, not yet recorded. Whoever asks next will find the same.
        return record(asked, finding, policy);
    }

    private static Finding ask(ProbePlan plan, KeyRecord asked) {
        try {
            return plan.probe().ask(asked.id(), asked.memo());
        } catch (RuntimeException e) {
            return new Finding.StillUnknown("the probe failed: " + e.getMessage());
        }
    }

    private @Nullable Seen record(KeyRecord asked, Finding finding, ClaimPolicy policy) {
        KeyRecord current = asked;
        for (int round = 0; round < Claiming.MOST_LOST_RACES && current != null; round++) {
            switch (ClaimRules.onFinding(current, asked, finding, policy, Instant.now())) {
                case Ruling.Answer<Boolean> overtaken -> {
                    return store.find(asked.id());
                }
                case Ruling.Become<Boolean>(var change) -> {
                    switch (store.replace(current, change)) {
                        case Replaced.Swapped(KeyRecord written) -> {
                            return tell(written);
                        }
                        case Replaced.Moved moved -> current = Settling.recordOf(moved.current());
                    }
                }
            }
        }
        return store.find(asked.id());
    }

    private Seen tell(KeyRecord written) {
        boolean stillInDoubt = written.state() instanceof KeyState.InDoubt;
        Seen seen = new Seen(written, stillInDoubt ? store.now() : written.since());
        if (!stillInDoubt) {
            rooms.tell(written.id(), Optional.of(seen));
            listener.on(new SemelEvent.DoubtEnded(written, SemelEvent.EndedBy.PROBE));
        }
        return seen;
    }

    @Override
    public void close() {
        agenda.close();
    }
}
