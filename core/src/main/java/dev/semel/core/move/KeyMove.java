package dev.semel.core.move;

import dev.semel.core.engine.SkewMargin;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.move.MoveRules.Finding;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Moves one key at a time from one store to another. What it does is safe whoever else does the same, whoever still uses the
 * first store alone, and wherever it is cut off: each step is a compare-and-set on what {@link MoveRules} judged.
 *
 * <pre>
 * M0  nothing is changed
 * M1  the seal is being put in the first store
 * M2  sealed: nobody is granted the key, its record is below the seal
 * M3  a place is kept in the second store
 * M4  the record stands in the second store; that counts from now on
 * M5  the seal says so
 * </pre>
 */
final class KeyMove {
    private static final int MOST_LOST_RACES = 64;

    private final KeyStore before;
    private final KeyStore store;
    private final KeyStore arrivals;
    private final UnaryOperator<Outcome> withoutBody;

    KeyMove(KeyStore before, KeyStore store, UnaryOperator<Outcome> withoutBody) {
        this.before = before;
        this.store = store;
        this.arrivals = SkewMargin.around(store);
        this.withoutBody = withoutBody;
    }

    /** Where a key is decided now. */
    sealed interface Home {
        /** In the store that it is to leave: somebody is at work on it there. */
        record Before(Seen seen) implements Home {}

        /** A transaction of a caller's own has it in the store that it is to leave. */
        record Busy() implements Home {}

        /**
         * In the new store.
         *
         * @param arrived what became of its record, if it has just come; null when none was there to come
         * @param sealToken the highest token of the store that it has left
         */
        record Here(@Nullable Arrived arrived, long sealToken) implements Home {}
    }

    /** What became of a record on its way. */
    enum Arrived {
        WRITTEN,
        WITHOUT_BODY,
        /** There was one already, which stays. */
        THERE_BEFORE
    }

    /** Brings a key here, if it may come. One that no store knows is sealed: then nobody is granted it but here. */
    Home settle(KeyId id, Fingerprint fingerprint) {
        NewKey seal = new NewKey(
                id, fingerprint, MoveMark.left(), MoveMark.FOR_EVER, Guarantee.AT_MOST_ONCE, false, Memo.NONE);
        return switch (before.insert(seal)) { // F1: an empty seal, and nothing in the new store
            case Inserted.Fresh(KeyRecord it) -> new Home.Here(null, it.token());
            case Inserted.Existing(Seen it) -> settle(it);
            case Inserted.Busy it -> new Home.Busy();
        };
    }

    /** The same for a record that was seen. */
    Home settle(Seen first) {
        Seen seen = first;
        for (int race = 0; race < MOST_LOST_RACES; race++) {
            switch (MoveRules.onBefore(seen)) {
                case Finding.Gone(long token) -> {
                    return new Home.Here(null, token);
                }
                case Finding.Stay it -> {
                    return new Home.Before(seen);
                }
                case Finding.Copy(Seen content) -> {
                    return new Home.Here(arrive(content, 0), content.record().token());
                }
                case Finding.Unfinished(Seen content, long least, Change finished) -> {
                    return finish(seen.record(), content, least, finished);
                }
                case Finding.Leave(Seen content, Change change) -> {
                    switch (before.replace(seen.record(), change)) { // M1
                        case Replaced.Swapped(KeyRecord seal) -> {
                            return finish(seal, content, 0, MoveMark.finished(seal)); // M2
                        }
                        case Replaced.Moved(Seen current) -> seen = stillThere(current, first);
                    }
                }
                case Finding.Absent(Change change) -> {
                    switch (before.replace(seen.record(), change)) {
                        case Replaced.Swapped(KeyRecord seal) -> {
                            return new Home.Here(null, seal.token());
                        }
                        case Replaced.Moved(Seen current) -> seen = stillThere(current, first);
                    }
                }
            }
        }
        throw StoreException.notApplied(
                "The key changes faster than it can be moved: " + first.record().id(), null);
    }

    private static Seen stillThere(@Nullable Seen current, Seen first) {
        if (current != null) return current;
        throw StoreException.notApplied(
                "The store before has forgotten the key just now; try again: "
                        + first.record().id(),
                null);
    }

    private Home finish(KeyRecord seal, Seen content, long leastToken, Change finished) {
        Arrived arrived = arrive(content, leastToken);
        // M4: whoever comes across the seal before it says so finds the record here, and leaves it as it is.
        before.replace(seal, finished);
        return new Home.Here(arrived, seal.token());
    }

    /** Writes a record here unless there is one already. */
    private Arrived arrive(Seen content, long leastToken) {
        KeyId id = content.record().id();
        Seen there = store.find(id);
        for (int race = 0; race < MOST_LOST_RACES; race++) {
            if (MoveRules.counts(there)) return Arrived.THERE_BEFORE;
            if (there == null) {
                there = place(content.record()); // M3
                continue;
            }
            Change change = MoveRules.arrival(content, there.record(), leastToken);
            boolean fits = fits(change);
            switch (arrivals.replace(there.record(), fits ? change : withoutBody(change))) {
                case Replaced.Swapped it -> {
                    return fits ? Arrived.WRITTEN : Arrived.WITHOUT_BODY;
                }
                case Replaced.Moved(Seen current) -> there = current;
            }
        }
        throw StoreException.notApplied("The key changes faster than it can be moved: " + id, null);
    }

    /**
     * A key that was to leave this very store by an earlier move the other way, which was cut off before it arrived there: it
     * is here again, as it was.
     *
     * @param sealed its seal here; nothing stands in the other store
     * @return whether it is; if not, the seal has moved on meanwhile
     */
    boolean restore(Seen sealed) {
        Seen content = MoveMark.below(sealed);
        return content != null
                && arrivals.replace(sealed.record(), MoveRules.arrival(content, sealed.record(), 0))
                        instanceof Replaced.Swapped;
    }

    private Seen place(KeyRecord record) {
        NewKey place = new NewKey(
                record.id(),
                record.fingerprint(),
                MoveMark.arriving(),
                MoveMark.FOR_EVER,
                Guarantee.AT_MOST_ONCE,
                false,
                Memo.NONE);
        return switch (store.insert(place)) {
            case Inserted.Fresh(KeyRecord it) -> new Seen(it, it.since());
            case Inserted.Existing(Seen it) -> it;
            case Inserted.Busy it ->
                throw StoreException.notApplied("An open transaction has this key: " + record.id(), null);
        };
    }

    private boolean fits(Change change) {
        return !(change.next() instanceof Next.Done done)
                || done.outcome().encoded().length <= store.traits().largestOutcome();
    }

    private Change withoutBody(Change change) {
        if (!(change.next() instanceof Next.Done done)) return change;
        Outcome shorter = withoutBody.apply(done.outcome());
        if (shorter.encoded().length > store.traits().largestOutcome()) shorter = shorter.clearPart();
        return change.with(change.memo(), new Next.Done(shorter, done.retention(), done.tombstone(), done.doneSince()));
    }
}
