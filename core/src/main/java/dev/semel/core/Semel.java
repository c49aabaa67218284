package dev.semel.core;

import dev.semel.core.ClaimRules.Ruling;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
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
    private static final int MOST_LOST_RACES = 64;
    private static final int MOST_LOST_ANSWERS = 2;

    private final KeyStore store;
    private final SemelListener listener;
    private final Duration patience;
    private final Duration retryPause;
    private final HolderNames holders = new HolderNames();
    private final LeaseKeeper keeper;
    private final WaitingRooms rooms;
    private final UnfinishedWork unfinished;

    private Semel(Builder builder) {
        this.store = builder.store;
        this.listener = quiet(builder.listener);
        this.patience = builder.patience;
        this.retryPause = builder.retryPause;
        this.keeper = new LeaseKeeper(listener);
        this.rooms = new WaitingRooms(store, keeper, listener, builder.waitLimits);
        this.unfinished = new UnfinishedWork(listener);
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
        String holder = holders.next();
        Duration wait = request.policy().waitFor();
        try (InFlightWait waiting = new InFlightWait(rooms, keeper, store, request.id(), wait)) {
            Claim answer = claim(request, holder, waiting);
            listener.on(new SemelEvent.Claimed(request.id(), answer, waiting.waited()));
            return answer;
        }
    }

    private Claim claim(ClaimRequest request, String holder, InFlightWait waiting) {
        NewKey fresh = new NewKey(
                request.id(), request.fingerprint(), holder, request.policy().lease());
        Seen seen = null;
        int lostRaces = 0;
        int lostAnswers = 0;
        while (true) {
            try {
                if (seen == null) {
                    switch (store.insert(fresh)) {
                        case Inserted.Fresh it -> {
                            return grant(it.record(), request);
                        }
                        case Inserted.Existing it -> seen = it.seen();
                    }
                }
                if (isHeldBy(holder, seen)) return grant(seen.record(), request);
                switch (ClaimRules.onClaim(seen, request, holder)) {
                    case Ruling.Answer<Claim>(Claim.InProgress running) -> {
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
                    case Ruling.Answer<Claim>(Claim answer) -> {
                        return answer;
                    }
                    case Ruling.Become<Claim>(var change) -> {
                        switch (store.replace(seen.record(), change)) {
                            case Replaced.Swapped it -> {
                                return answerTo(it.record(), request);
                            }
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

    private static boolean isHeldBy(String holder, Seen seen) {
        return seen.record().state() instanceof KeyState.Held held
                && held.holder().equals(holder);
    }

    private Claim answerTo(KeyRecord written, ClaimRequest request) {
        return switch (written.state()) {
            case KeyState.Held held -> grant(written, request);
            case KeyState.InDoubt doubt -> {
                rooms.tell(written.id(), Optional.of(new Seen(written, written.since())));
                yield ClaimRules.inDoubt(written, doubt);
            }
            default ->
                throw new IllegalStateException(
                        "A claim never makes a key " + written.state().kind());
        };
    }

    private Claim.Granted grant(KeyRecord record, ClaimRequest request) {
        Lease lease = new Lease(this, record, request.policy());
        keeper.add(lease);
        return new Claim.Granted(lease);
    }

    /** Writes a holder's word. Out of patience, goes on in the background and says so. */
    Settled settle(Lease lease, Function<@Nullable KeyRecord, Ruling<Settled>> rule) {
        long deadline = System.nanoTime() + patience.toNanos();
        Settled settled = write(lease.record(), rule, () -> System.nanoTime() - deadline < 0);
        if (settled instanceof Settled.Unrecorded) {
            boolean taken = unfinished.add(() -> finish(lease, write(lease.record(), rule, unfinished::isOpen)));
            if (!taken) keeper.remove(lease);
            listener.on(new SemelEvent.LeaseSettled(lease.id(), lease.token(), settled));
        } else {
            finish(lease, settled);
        }
        return settled;
    }

    private Settled write(
            KeyRecord last, Function<@Nullable KeyRecord, Ruling<Settled>> rule, BooleanSupplier patient) {
        KeyRecord seen = last;
        boolean lookFirst = false;
        Backoff backoff = new Backoff(retryPause);
        while (true) {
            try {
                if (lookFirst) seen = recordOf(store.find(last.id()));
                lookFirst = false;
                switch (rule.apply(seen)) {
                    case Ruling.Answer<Settled>(Settled answer) -> {
                        return answer;
                    }
                    case Ruling.Become<Settled>(var change) -> {
                        KeyRecord from = Objects.requireNonNull(seen, "only a record can change");
                        switch (store.replace(from, change)) {
                            case Replaced.Swapped it -> {
                                return new Settled.Accepted(it.record());
                            }
                            case Replaced.Moved it -> seen = recordOf(it.current());
                        }
                    }
                }
            } catch (StoreException e) {
                // C2: the write may have happened. Look before trying again; the rule knows its own work.
                lookFirst = true;
                if (!patient.getAsBoolean()) return new Settled.Unrecorded(e);
                backoff.pause();
            }
        }
    }

    private static @Nullable KeyRecord recordOf(@Nullable Seen seen) {
        return seen == null ? null : seen.record();
    }

    private void finish(Lease lease, Settled settled) {
        keeper.remove(lease);
        if (settled instanceof Settled.Accepted(KeyRecord record))
            rooms.tell(lease.id(), Optional.of(new Seen(record, record.since())));
        listener.on(new SemelEvent.LeaseSettled(lease.id(), lease.token(), settled));
    }

    Settled renew(KeyRecord record, Duration lease) {
        return write(record, seen -> ClaimRules.onRenew(seen, record.token(), lease), () -> false);
    }

    /**
     * A claim ended without an answer from the store, and its caller runs nothing. Should the claim have been written
     * after all, its key must not stay held by nobody.
     */
    private void disown(ClaimRequest request, String holder) {
        long deadline = System.nanoTime() + request.policy().lease().toNanos();
        unfinished.add(() -> {
            Backoff backoff = new Backoff(retryPause);
            while (unfinished.isOpen() && System.nanoTime() - deadline < 0) {
                try {
                    Seen seen = store.find(request.id());
                    if (seen != null && isHeldBy(holder, seen)) {
                        long token = seen.record().token();
                        write(
                                seen.record(),
                                now -> ClaimRules.onRelease(now, token, request.policy()),
                                unfinished::isOpen);
                        return;
                    }
                } catch (StoreException e) {
                    listener.on(new SemelEvent.BackgroundTaskFailed("disown a claim without an answer", e));
                }
                backoff.pause();
            }
        });
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
        KeyRecord seen = recordOf(store.find(id));
        for (int round = 0; round < MOST_LOST_RACES; round++) {
            switch (ClaimRules.onResolve(seen, token, resolution)) {
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
                            return new Resolved.Accepted(it.record());
                        }
                        case Replaced.Moved it -> seen = recordOf(it.current());
                    }
                }
            }
        }
        throw StoreException.notApplied("The key changes faster than it can be resolved: " + id, null);
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

    /** Stops the background work. Leases that are not settled run out by themselves; the store stays open. */
    @Override
    public void close() {
        unfinished.close();
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
        private WaitLimits waitLimits = WaitLimits.DEFAULT;
        private Duration patience = Duration.ofSeconds(5);
        private Duration retryPause = Duration.ofMillis(10);

        private Builder(KeyStore store) {
            this.store = store;
        }

        public Builder listener(SemelListener listener) {
            this.listener = listener;
            return this;
        }

        public Builder waitLimits(WaitLimits waitLimits) {
            this.waitLimits = waitLimits;
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

        public Semel start() {
            return new Semel(this);
        }
    }
}
