package dev.semel.core.engine;

import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.SemelListener;
import dev.semel.core.claim.Settlement;
import dev.semel.core.doubt.Doubts;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.rules.ClaimRules;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.StoreTraits;
import dev.semel.core.store.SwapLoop;
import dev.semel.core.store.SwapLoop.Patience;
import dev.semel.core.time.Backoff;
import dev.semel.core.time.EngineTime;
import dev.semel.core.waiting.WaitingRooms;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** How the word of a holder is written: complete, release, doubt, renew. And who is told. */
public final class HolderWrites {
    private final StoreTraits traits;
    private final SwapLoop swaps;
    private final SemelListener listener;
    private final WaitingRooms rooms;
    private final PendingWrites pending;
    private final Doubts doubts;
    private final Duration patience;
    private final Duration retryPause;
    private final EngineTime time;

    /** @param patience how long a holder is kept waiting while the store does not take its word */
    public HolderWrites(
            KeyStore store,
            SemelListener listener,
            WaitingRooms rooms,
            PendingWrites pending,
            Doubts doubts,
            Duration patience,
            Duration retryPause,
            EngineTime time) {
        this.traits = store.traits();
        this.swaps = new SwapLoop(store);
        this.listener = listener;
        this.rooms = rooms;
        this.pending = pending;
        this.doubts = doubts;
        this.patience = patience;
        this.retryPause = retryPause;
        this.time = time;
    }

    /** The outcome as this store can keep it: of one that is too large, the clear part, so that it never runs again. */
    Outcome fitting(Outcome outcome) {
        return outcome.encoded().length > traits.largestOutcome() ? outcome.clearPart() : outcome;
    }

    /** What a holder may count on of a deadline in the store, which has room for clocks that differ. */
    Instant withoutMargin(Instant leaseUntil) {
        return leaseUntil.minus(traits.skew());
    }

    /**
     * Writes the word of a holder in this process. When the store does not take it soon, that goes on in the background,
     * and the holder waits for it no longer than its patience lasts, however long a single try takes.
     *
     * @param word what it says, as in "its outcome"
     * @param ended called when the attempt is over, whatever became of the word
     */
    Settlement settle(KeyRecord last, String word, SwapLoop.Rule<Settlement> rule, Runnable ended) {
        long deadline = time.nanos() + patience.toNanos();
        Settlement first = writeOrLetGo(last, false, rule, patientFor(patience.dividedBy(5)), ended);
        if (!(first instanceof Settlement.Unrecorded)) {
            ended.run();
            announce(last, first);
            return first;
        }
        CompletableFuture<Settlement> later = new CompletableFuture<>();
        boolean taken = pending.add(
                new PendingWrites.Word(last.id(), last.token(), word), () -> goOn(last, rule, ended, later));
        if (!taken) ended.run();
        Settlement settled = taken ? awaitUntil(deadline, later, first) : first;
        if (settled == first) listener.on(new SemelEvent.LeaseSettled(last.id(), last.token(), first));
        return settled;
    }

    /** @return whether the store has taken it, or has no use for it any more */
    private boolean goOn(
            KeyRecord last, SwapLoop.Rule<Settlement> rule, Runnable ended, CompletableFuture<Settlement> told) {
        Settlement settled = writeOrLetGo(last, true, rule, pausing(pending::isTrying), ended);
        ended.run();
        announce(last, settled);
        told.complete(settled);
        return !(settled instanceof Settlement.Unrecorded);
    }

    private Settlement awaitUntil(long deadline, CompletableFuture<Settlement> later, Settlement otherwise) {
        try {
            return time.await(later, deadline) ? later.join() : otherwise;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return otherwise;
        }
    }

    /** A failure that no store should have must not leave an attempt running for ever. */
    private Settlement writeOrLetGo(
            KeyRecord last, boolean look, SwapLoop.Rule<Settlement> rule, Patience patience, Runnable ended) {
        try {
            return write(last, look, rule, patience);
        } catch (RuntimeException | Error e) {
            ended.run();
            throw e;
        }
    }

    /** Writes the word of a remote holder, who asks again when told that it is not recorded. */
    Settlement settleRemote(KeyRecord seen, SwapLoop.Rule<Settlement> rule) {
        Settlement settled = write(seen, false, rule, patientFor(patience));
        announce(seen, settled);
        return settled;
    }

    /** What was there already, by the same word or another's, was told when it was written. */
    private void announce(KeyRecord last, Settlement settled) {
        if (settled instanceof Settlement.Accepted accepted && accepted.record().revision() > last.revision()) {
            KeyRecord record = accepted.record();
            rooms.tell(record);
            if (record.state().kind() == KeyState.Kind.IN_DOUBT) doubts.fellIntoDoubt(record);
        }
        listener.on(new SemelEvent.LeaseSettled(last.id(), last.token(), settled));
    }

    /** Writes what a holder leaves with its key while it goes on; tries as long as its patience lasts. */
    Settlement note(KeyRecord record, Memo memo, Duration lease) {
        return write(record, false, seen -> ClaimRules.onNote(seen, record.token(), memo, lease), patientFor(patience));
    }

    Settlement renew(KeyRecord record, Duration lease) {
        return write(record, false, seen -> ClaimRules.onRenew(seen, record.token(), lease), Patience.NONE);
    }

    /** For a claim that was given up, and whose key must not stay held by nobody. */
    boolean release(KeyRecord seen, BooleanSupplier goesOn, SwapLoop.Rule<Settlement> rule) {
        return !(write(seen, false, rule, pausing(goesOn)) instanceof Settlement.Unrecorded);
    }

    private Patience patientFor(Duration length) {
        long deadline = time.nanos() + length.toNanos();
        return pausing(() -> time.nanos() - deadline < 0);
    }

    private Patience pausing(BooleanSupplier goesOn) {
        Backoff backoff = new Backoff(time, retryPause);
        return failure -> {
            if (!goesOn.getAsBoolean()) return false;
            backoff.pause();
            return true;
        };
    }

    // C2: the write may have happened. The loop looks before it tries again, and the rules know their own work.
    private Settlement write(KeyRecord last, boolean look, SwapLoop.Rule<Settlement> rule, Patience patience) {
        SwapLoop.Result<Settlement> result =
                look ? swaps.lookAndSwap(last.id(), rule, patience) : swaps.swap(last, rule, patience);
        return switch (result) {
            case SwapLoop.Result.Written<Settlement> it ->
                announcingEndOfDoubt(it.before(), new Settlement.Accepted(it.after()));
            case SwapLoop.Result.Answered<Settlement> it -> announcingEndOfDoubt(it.tried(), it.answer());
            case SwapLoop.Result.Unanswered<Settlement> it -> new Settlement.Unrecorded(it.failure());
        };
    }

    private Settlement announcingEndOfDoubt(@Nullable KeyRecord before, Settlement settled) {
        boolean wasInDoubt = before != null && before.state() instanceof KeyState.InDoubt;
        if (!wasInDoubt || !(settled instanceof Settlement.Accepted(KeyRecord record))) return settled;
        switch (record.state().kind()) {
            case DONE -> listener.on(new SemelEvent.DoubtEnded(record, SemelEvent.EndedBy.LATE_ANSWER));
            case FREE -> listener.on(new SemelEvent.DoubtEnded(record, SemelEvent.EndedBy.RELEASED));
            case HELD, IN_DOUBT, SPENT -> {}
        }
        return settled;
    }
}
