package dev.semel.core;

import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.JoinedTransaction;
import dev.semel.core.claim.Quotas;
import dev.semel.core.claim.RemoteLease;
import dev.semel.core.claim.Resolution;
import dev.semel.core.claim.ResolveAnswer;
import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.SemelListener;
import dev.semel.core.claim.WaitLimits;
import dev.semel.core.doubt.Doubts;
import dev.semel.core.engine.ClaimLoop;
import dev.semel.core.engine.GivenUpClaims;
import dev.semel.core.engine.HeldLeases;
import dev.semel.core.engine.HolderWrites;
import dev.semel.core.engine.PendingWrites;
import dev.semel.core.engine.RemoteHold;
import dev.semel.core.engine.SkewMargin;
import dev.semel.core.engine.Sweeper;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.quota.TenantQuotas;
import dev.semel.core.rules.ClaimRules;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.SwapLoop;
import dev.semel.core.time.EngineTime;
import dev.semel.core.waiting.InFlightWait;
import dev.semel.core.waiting.WaitingRooms;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The engine. Gives each operation to one attempt, remembers its outcome durably, and gives that outcome to every other
 * attempt. It renews the leases of what runs here, ends doubts and cleans its store in the background, until it is closed.
 *
 * <p>Safe for use by any number of threads; calls block and are meant for virtual threads. A call that throws
 * {@link StoreException} has granted nothing: whoever gets one has run nothing, and may say so.
 */
public final class Semel implements AutoCloseable {
    private final KeyStore store;
    private final SwapLoop swaps;
    private final SemelListener listener;
    private final EngineTime time;
    private final HeldLeases held;
    private final WaitingRooms rooms;
    private final PendingWrites pending;
    private final Doubts doubts;
    private final HolderWrites writes;
    private final GivenUpClaims givenUp;
    private final ClaimLoop claims;
    private final @Nullable Sweeper sweeper;
    private final Resumptions resumptions;
    private final Map<String, ClaimPolicy> operations = new ConcurrentHashMap<>();

    private Semel(Builder builder) {
        this.store = SkewMargin.around(builder.store);
        this.swaps = new SwapLoop(store);
        this.listener = quiet(builder.listener);
        this.time = builder.time;
        KeyIndex index = store.index();
        TenantQuotas quotas =
                new TenantQuotas(builder.quotas, index, store.traits().counts(), time);
        this.held = new HeldLeases(listener, time);
        this.rooms =
                new WaitingRooms(store, held::isHeldHere, listener, builder.waitLimits, builder.quotas.waiters(), time);
        this.pending = new PendingWrites(listener);
        this.resumptions = new Resumptions(listener);
        this.doubts = new Doubts(
                store, listener, rooms, held::isAtWorkOn, this::isResumed, id -> policyOf(id, builder.policies), time);
        this.writes =
                new HolderWrites(store, listener, rooms, pending, doubts, builder.patience, builder.retryPause, time);
        this.givenUp = new GivenUpClaims(store, listener, writes, builder.retryPause, time);
        this.claims = new ClaimLoop(store, listener, held, rooms, writes, givenUp, doubts, quotas, time);
        this.sweeper = index == null || builder.sweepEvery.isZero()
                ? null
                : new Sweeper(index, builder.sweepEvery, listener, doubts::lookInto, time);
    }

    private @Nullable ClaimPolicy policyOf(KeyId id, Function<KeyId, @Nullable ClaimPolicy> policies) {
        ClaimPolicy given = policies.apply(id);
        return given != null ? given : operations.get(id.operation());
    }

    /**
     * An operation with default settings; its withers change them.
     *
     * @param name what its keys are kept under; the same in every process that runs it
     */
    public <T extends @Nullable Object> Operation<T> operation(String name, Codec<T> codec) {
        return new Operation<>(this, "", name, codec, ClaimPolicy.DEFAULT, FailurePolicy.ALL_IN_DOUBT, null);
    }

    /** The policy of an operation, for what the background does with its keys. */
    void remember(String operation, ClaimPolicy policy) {
        if (!policy.equals(operations.get(operation))) operations.put(operation, policy);
    }

    /** Who goes on with attempts of an operation that were cut off. */
    void resumeBy(String name, DurableOperation<?, ?> operation) {
        resumptions.add(name, operation);
    }

    private boolean isResumed(Seen seen) {
        return resumptions.take(seen, doubts);
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
        return claims.claim(request);
    }

    /**
     * The same as a part of a database transaction: what is granted commits or rolls back with it. While another
     * transaction has the key, waits inside the database.
     *
     * @throws IllegalStateException when the store cannot join transactions, or the connection has none open
     * @throws StoreException when the database does not answer; nothing is granted then, and nothing can be committed
     */
    public Claim claim(ClaimRequest request, JoinedTransaction transaction) {
        return claims.claim(request, transaction);
    }

    /** A transaction that joined a key has been committed: wakes those here who wait for it, sooner than they would look. */
    void committed(KeyId id) {
        if (rooms.size() == 0) return;
        try {
            Seen seen = store.find(id);
            if (seen != null) rooms.tell(seen);
        } catch (StoreException e) {
            // Not for the caller, who has committed. Who waits looks for itself in a moment.
            listener.on(new SemelEvent.BackgroundTaskFailed("tell who waits for a committed key", e));
        }
    }

    /** The lease of a claim that was granted to someone outside this process, in whose words the caller speaks. */
    public RemoteLease remoteLease(KeyId id, long token, ClaimPolicy policy) {
        return new RemoteHold(store, writes, time, id, token, policy);
    }

    /** What the store knows about a key, expired or not; null when nothing. */
    public @Nullable Seen find(KeyId id) {
        return store.find(id);
    }

    /** The same, after waiting so long for the attempt in flight to end; like a duplicate, without disturbing it. */
    public @Nullable Seen find(KeyId id, Duration atMost) {
        Seen seen = store.find(id);
        try (InFlightWait wait = rooms.waitFor(id, atMost)) {
            while (seen != null && WaitingRooms.isStillRunning(seen)) {
                if (!(wait.await() instanceof InFlightWait.News.Judge news)) return seen;
                seen = news.seen();
            }
            return seen;
        }
    }

    /** Ends a doubt. Guarded by the token: someone who looked at an older doubt changes nothing. */
    public ResolveAnswer resolve(KeyId id, long token, Resolution resolution, String by, String reason) {
        return resolve(
                id, by, reason, seen -> ClaimRules.onResolve(seen, token, resolution, by, reason, time.instant()));
    }

    /**
     * Frees a key that is held or in doubt, also while its holder is at work. Its later word counts only until
     * someone else is let in, and what it does meanwhile cannot be called back: for someone who knows that the holder is gone, or harmless.
     *
     * @param keep how long the freed key is remembered
     */
    public ResolveAnswer forceRelease(KeyId id, long token, String by, String reason, Duration keep) {
        return resolve(
                id, by, reason, seen -> ClaimRules.onForcedRelease(seen, token, by, reason, keep, time.instant()));
    }

    private ResolveAnswer resolve(KeyId id, String by, String reason, SwapLoop.Rule<ResolveAnswer> rule) {
        return switch (swaps.lookAndSwap(id, rule, SwapLoop.Patience.NONE)) {
            case SwapLoop.Result.Answered<ResolveAnswer> it -> it.answer();
            case SwapLoop.Result.Unanswered<ResolveAnswer> it -> throw it.failure();
            case SwapLoop.Result.Written<ResolveAnswer>(KeyRecord before, KeyRecord after) -> {
                rooms.tell(after);
                listener.on(new SemelEvent.DoubtResolved(after, by, reason));
                if (before.state() instanceof KeyState.InDoubt)
                    listener.on(new SemelEvent.DoubtEnded(after, SemelEvent.EndedBy.OPERATOR));
                yield new ResolveAnswer.Accepted(after);
            }
        };
    }

    /**
     * Lets a key whose holder is past its lease fall into doubt now, without a claim, as at-most-once keys do. Anything
     * else is left as it is.
     *
     * @return what is recorded now; null when there is no such key
     */
    public @Nullable Seen expireLease(KeyId id, ClaimPolicy policy) {
        return doubts.expireLease(id, policy);
    }

    /**
     * Looks into keys that someone came across, as the sweep does: those past their lease fall into doubt, and doubts are
     * probed, as their policies say. Returns at once.
     */
    public void lookInto(Collection<KeyId> due) {
        doubts.lookInto(due);
    }

    public KeyStore store() {
        return store;
    }

    /** How many operations this process holds right now. */
    public int heldHere() {
        return held.size();
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
        long end = time.nanos() + grace.toNanos();
        doubts.close();
        held.awaitSettled(end);
        Set<KeyId> told = pending.close(Duration.ofNanos(Math.max(0, end - time.nanos())));
        givenUp.close(Duration.ofNanos(Math.max(0, end - time.nanos())));
        if (sweeper != null) sweeper.close();
        rooms.close();
        held.close(told);
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
        private Duration sweepEvery = Duration.ofMinutes(1);
        private EngineTime time = EngineTime.SYSTEM;

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

        /** How long the sweep that cleans the store pauses between two passes; zero not to sweep. */
        public Builder sweepEvery(Duration sweepEvery) {
            this.sweepEvery = sweepEvery;
            return this;
        }

        /** By what time the engine renews, waits and retries; for tests that move it by hand. */
        public Builder time(EngineTime time) {
            this.time = time;
            return this;
        }

        /** @throws IllegalStateException when the store cannot do what is asked for */
        public Semel start() {
            return new Semel(this);
        }
    }
}
