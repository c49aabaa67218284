package dev.semel.core;

import dev.semel.core.ClaimRules.Ruling;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The engine. Gives each operation to one attempt, remembers its outcome durably, and gives that outcome to every other
 * attempt.
 *
 * <p>Safe for use by any number of threads; calls block and are meant for virtual threads. A call that throws
 * {@link StoreException} has granted nothing: whoever gets one has run nothing, and may say so.
 */
public final class Semel implements AutoCloseable {
    private final KeyStore store;
    private final SemelListener listener;
    private final LeaseKeeper keeper;
    private final WaitingRooms rooms;
    private final UnfinishedWork unfinished;
    private final DoubtWatch doubts;
    private final Settling settling;
    private final Claiming claiming;

    private Semel(Builder builder) {
        this.store = builder.store;
        this.listener = quiet(builder.listener);
        this.keeper = new LeaseKeeper(listener);
        this.rooms = new WaitingRooms(store, keeper, listener, builder.waitLimits, builder.quotas.waiters());
        this.unfinished = new UnfinishedWork(listener);
        this.doubts = new DoubtWatch(store, listener, rooms, keeper, builder.policies);
        this.settling =
                new Settling(store, listener, keeper, rooms, unfinished, doubts, builder.patience, builder.retryPause);
        QuotaGate quotas = new QuotaGate(store, builder.quotas);
        this.claiming = new Claiming(
                store,
                listener,
                keeper,
                rooms,
                unfinished,
                settling,
                doubts,
                quotas,
                builder.retryPause,
                builder.watch);
    }

    public static Builder on(KeyStore store) {
        return new Builder(store);
    }

    /**
     * Asks to be the one that runs the operation. While another attempt runs, waits as long as the policy says, without
     * disturbing it.
     *
     * @throws StoreException when the store does not answer; nothing is granted then
     */
    public Claim claim(ClaimRequest request) {
        return claiming.claim(request);
    }

    /** The lease of a claim that was granted to someone outside this process, in whose words the caller speaks. */
    public RemoteLease heldElsewhere(KeyId id, long token, ClaimPolicy policy) {
        return new RemoteLease(store, settling, id, token, policy);
    }

    /** What the store knows about a key, expired or not; null when nothing. */
    public @Nullable Seen find(KeyId id) {
        return store.find(id);
    }

    /** The same, after waiting so long for the attempt in flight to end; like a duplicate, without disturbing it. */
    public @Nullable Seen find(KeyId id, Duration wait) {
        Seen seen = store.find(id);
        try (InFlightWait waiting = new InFlightWait(rooms, keeper, store, id, wait)) {
            while (seen != null && WaitingRooms.isStillRunning(seen)) {
                if (!(waiting.await() instanceof InFlightWait.News.Judge news)) return seen;
                seen = news.seen();
            }
            return seen;
        }
    }

    /** Ends a doubt. Guarded by the token: someone who looked at an older doubt changes nothing. */
    public Resolved resolve(KeyId id, long token, Resolution resolution, String by, String reason) {
        return resolve(
                id, by, reason, seen -> ClaimRules.onResolve(seen, token, resolution, by, reason, Instant.now()));
    }

    /**
     * Frees a key that is held or in doubt, also while its holder is at work. The holder's later word changes nothing,
     * but what it does meanwhile cannot be called back: for someone who knows that the holder is gone, or harmless.
     *
     * @param keep how long the freed key is remembered
     */
    public Resolved forceRelease(KeyId id, long token, String by, String reason, Duration keep) {
        return resolve(
                id, by, reason, seen -> ClaimRules.onForcedRelease(seen, token, by, reason, keep, Instant.now()));
    }

    private Resolved resolve(KeyId id, String by, String reason, Function<@Nullable KeyRecord, Ruling<Resolved>> rule) {
        KeyRecord seen = Settling.recordOf(store.find(id));
        for (int round = 0; round < Claiming.MOST_LOST_RACES; round++) {
            switch (rule.apply(seen)) {
                case Ruling.Answer<Resolved>(Resolved answer) -> {
                    return answer;
                }
                case Ruling.Become<Resolved>(var change) -> {
                    switch (store.replace(Objects.requireNonNull(seen), change)) {
                        case Replaced.Swapped it -> {
                            rooms.tell(
                                    id,
                                    Optional.of(
                                            new Seen(it.record(), it.record().since())));
                            listener.on(new SemelEvent.DoubtResolved(it.record(), by, reason));
                            if (seen.state() instanceof KeyState.InDoubt)
                                listener.on(new SemelEvent.DoubtEnded(it.record(), SemelEvent.EndedBy.OPERATOR));
                            return new Resolved.Accepted(it.record());
                        }
                        case Replaced.Moved it -> seen = Settling.recordOf(it.current());
                    }
                }
            }
        }
        throw StoreException.notApplied("The key changes faster than it can be resolved: " + id, null);
    }

    /**
     * Lets a key whose holder is past its lease fall into doubt now, without a claim, as at-most-once keys do. Anything
     * else is left as it is.
     *
     * @return what is recorded now; null when there is no such key
     */
    public @Nullable Seen settleSilence(KeyId id, ClaimPolicy policy) {
        return doubts.settleSilence(id, policy);
    }

    /**
     * Sees to keys that someone came across and that nobody works on any more: those whose holder fell silent fall into
     * doubt, and doubts are probed, as their policies say. Returns at once.
     */
    public void seeTo(Collection<KeyId> unsettled) {
        doubts.found(unsettled);
    }

    public KeyStore store() {
        return store;
    }

    /** How many operations this process holds right now. */
    public int heldHere() {
        return keeper.size();
    }

    /** How many duplicates wait in this process right now. */
    public int waitingHere() {
        return rooms.size();
    }

    /** As {@link #close(Duration)}, without any patience. */
    @Override
    public void close() {
        close(Duration.ZERO);
    }

    /**
     * Stops the background work. What holders here have said and the store has not taken yet is given so much time;
     * after that, and for leases that are not settled, the listener is told what is {@link SemelEvent.LeftBehind left
     * behind}. The store stays open.
     */
    public void close(Duration grace) {
        doubts.close();
        unfinished.close(grace);
        rooms.close();
        keeper.close();
    }

    private static SemelListener quiet(SemelListener listener) {
        return event -> {
            try {
                listener.on(event);
            } catch (RuntimeException e) {
                System.getLogger(Semel.class.getName()).log(System.Logger.Level.WARNING, "A listener failed", e);
            }
        };
    }

    /** How an engine is set up. */
    public static final class Builder {
        private final KeyStore store;
        private SemelListener listener = event -> {};
        private Function<KeyId, @Nullable ClaimPolicy> policies = id -> null;
        private WaitLimits waitLimits = WaitLimits.DEFAULT;
        private Quotas quotas = Quotas.NONE;
        private Duration patience = Duration.ofSeconds(5);
        private Duration retryPause = Duration.ofMillis(10);
        private Stopwatch watch = Stopwatch.SYSTEM;

        private Builder(KeyStore store) {
            this.store = store;
        }

        public Builder listener(SemelListener listener) {
            this.listener = listener;
            return this;
        }

        /** What holds for a key that is seen to without a claim: in the background. Null for keys to leave alone. */
        public Builder policies(Function<KeyId, @Nullable ClaimPolicy> policies) {
            this.policies = policies;
            return this;
        }

        public Builder waitLimits(WaitLimits waitLimits) {
            this.waitLimits = waitLimits;
            return this;
        }

        /** How much each tenant may take up; without this, as much as there is. */
        public Builder quotas(Quotas quotas) {
            this.quotas = quotas;
            return this;
        }

        /** How long a holder is kept waiting while the store does not take its outcome. */
        public Builder patience(Duration patience) {
            this.patience = patience;
            return this;
        }

        /** The first pause before asking a store again that did not answer; later ones grow up to a hundred times that. */
        public Builder retryPause(Duration retryPause) {
            this.retryPause = retryPause;
            return this;
        }

        /** For tests: how holders in this process count their own time. */
        Builder watch(Stopwatch watch) {
            this.watch = watch;
            return this;
        }

        public Semel start() {
            return new Semel(this);
        }
    }
}
