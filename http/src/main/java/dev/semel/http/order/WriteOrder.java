package dev.semel.http.order;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.move.MoveMark;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Ruling;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.SwapLoop;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps writes to a resource in order: once a version was let through, a lower one is refused, however late it comes and
 * wherever in the fleet. What was let through is kept like the outcome of a key.
 *
 * <p>Safe for use by any thread. When a write is accepted, its version is durable: after that no lower one is.
 */
public final class WriteOrder {
    private static final Duration FIRST_LEASE = Duration.ofSeconds(1);
    private static final int MOST_LOST_ANSWERS = 2;
    private static final int MOST_LOST_RECORDS = 64;

    private final KeyStore store;
    private final SwapLoop swaps;
    private final AtomicLong ids = new AtomicLong(new SecureRandom().nextLong());

    public WriteOrder(KeyStore store) {
        this.store = store;
        this.swaps = new SwapLoop(store);
    }

    /** What becomes of a write. */
    public sealed interface Answer {
        /** @param write names this write and no other: for whoever has to withdraw it */
        record Accepted(long write) implements Answer {}

        /** A write with this higher version was let through before. */
        record Stale(long last) implements Answer {}
    }

    /**
     * Asks to let a write through. One with the version of the last is let through too, and recorded like any other: as
     * long as one of them may have run, that version stays.
     *
     * @param keep how long the version is remembered
     * @throws StoreException when the store does not answer; the write must not be let through then
     */
    public Answer advance(KeyId resource, long version, Duration keep) {
        AcceptedWrites.Write write = new AcceptedWrites.Write(ids.incrementAndGet(), version);
        SwapLoop.Patience patience = untilLost(MOST_LOST_ANSWERS);
        for (int round = 0; round < MOST_LOST_RECORDS; round++) {
            Seen present = findOrInsert(resource, write, patience);
            if (present == null) continue;
            switch (swaps.<Optional<Answer>>swap(
                    present.record(), record -> onWrite(record, present, write, keep), patience)) {
                case SwapLoop.Result.Written<Optional<Answer>> it -> {
                    return new Answer.Accepted(write.id());
                }
                case SwapLoop.Result.Answered<Optional<Answer>> it -> {
                    if (it.answer().isPresent()) return it.answer().get();
                }
                case SwapLoop.Result.Unanswered<Optional<Answer>> it -> throw it.failure();
            }
        }
        throw StoreException.notApplied("Versions come and go faster than one can be written: " + resource, null);
    }

    private static SwapLoop.Patience untilLost(int most) {
        int[] lost = {0};
        return failure -> failure.applied() == StoreException.Applied.UNKNOWN && ++lost[0] <= most;
    }

    /** Null when the answer was lost: look again. */
    private @Nullable Seen findOrInsert(KeyId resource, AcceptedWrites.Write write, SwapLoop.Patience patience) {
        try {
            Seen present = store.find(resource);
            if (present != null) return present;
            String holder = "order-" + Long.toHexString(write.id());
            return switch (store.insert(new NewKey(resource, Fingerprint.none(), holder, FIRST_LEASE))) {
                case Inserted.Fresh it -> new Seen(it.record(), it.record().since());
                case Inserted.Existing it -> it.seen();
                case Inserted.Busy it -> throw StoreException.notApplied("An open transaction has this record.", null);
            };
        } catch (StoreException e) {
            if (patience.lasts(e)) return null;
            throw e;
        }
    }

    /** Answers nothing when the record is gone. */
    private static Ruling<Optional<Answer>> onWrite(
            @Nullable KeyRecord record, Seen first, AcceptedWrites.Write write, Duration keep) {
        if (record == null) return new Ruling.Answer<>(Optional.empty());
        boolean forgotten = record.equals(first.record()) && record.asOf(first.now()) == null;
        AcceptedWrites before = forgotten ? AcceptedWrites.NOTHING : acceptedIn(record);
        // Written before, and only its answer was lost.
        if (before.has(write)) return new Ruling.Answer<>(Optional.of(new Answer.Accepted(write.id())));
        if (write.version() < before.last()) return new Ruling.Answer<>(Optional.of(new Answer.Stale(before.last())));
        return new Ruling.Become<>(changeTo(before.with(write), record, keep));
    }

    /**
     * Takes back one write that is known not to have run, so that its version does not stand in the way of lower ones.
     * All others stay, those of the same version too.
     *
     * @param write as its answer named it
     * @throws StoreException when the store does not answer; then the version stays
     */
    public void withdraw(KeyId resource, long version, long write, Duration keep) {
        AcceptedWrites.Write unwanted = new AcceptedWrites.Write(write, version);
        SwapLoop.Rule<Boolean> rule = record -> {
            AcceptedWrites before = record == null ? AcceptedWrites.NOTHING : acceptedIn(record);
            return record == null || !before.has(unwanted)
                    ? new Ruling.Answer<>(false)
                    : new Ruling.Become<>(changeTo(before.without(unwanted), record, keep));
        };
        if (swaps.lookAndSwap(resource, rule, SwapLoop.Patience.NONE) instanceof SwapLoop.Result.Unanswered<Boolean> it)
            throw it.failure();
    }

    private static AcceptedWrites acceptedIn(KeyRecord record) {
        if (MoveMark.isLeft(record))
            throw StoreException.notApplied("The versions of this resource are in another store now.", null);
        if (!(record.state() instanceof KeyState.Done done)) return AcceptedWrites.NOTHING;
        AcceptedWrites read = AcceptedWrites.of(done.outcome());
        if (read != null) return read;
        throw StoreException.notApplied(
                "The version of " + record.id() + " cannot be read. Is it sealed with a key that is not given?", null);
    }

    private static Change changeTo(AcceptedWrites next, KeyRecord record, Duration keep) {
        return Change.of(record, new Next.Done(next.outcome(), keep, Duration.ZERO));
    }
}
