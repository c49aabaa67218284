package dev.semel.core.store;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.KeyStore.Replaced;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one compare-and-set loop: decide by the record that was seen, swap, and decide anew when the record has moved on
 * meanwhile. After a lost answer it looks before it decides again, so a rule must know its own work when it meets it.
 *
 * <p>Safe for use by any thread.
 */
public final class SwapLoop {
    private static final int MOST_LOST_RACES = 64;

    private final KeyStore store;

    public SwapLoop(KeyStore store) {
        this.store = store;
    }

    /** Decides what a record becomes, as it counts now: null when nothing is there, or what is there is forgotten. */
    public interface Rule<A> {
        Ruling<A> on(@Nullable KeyRecord record);
    }

    /** What to do when the store did not answer. */
    @FunctionalInterface
    public interface Patience {
        /** Nothing is tried again. */
        Patience NONE = failure -> false;

        /** Whether to look and decide again; pauses before it says yes. */
        boolean lasts(StoreException failure);
    }

    /** What came of it. */
    public sealed interface Result<A> {
        /** The change was written. */
        record Written<A>(KeyRecord before, KeyRecord after) implements Result<A> {}

        /**
         * The rule wanted no change.
         *
         * @param tried the record that was last tried to be changed, by a write whose answer was lost; null when none was
         */
        record Answered<A>(A answer, @Nullable KeyRecord tried) implements Result<A> {}

        /** The store did not answer, and patience is at its end: a write may have happened, as the failure says. */
        record Unanswered<A>(StoreException failure) implements Result<A> {}
    }

    /** Looks first. */
    public <A> Result<A> lookAndSwap(KeyId id, Rule<A> rule, Patience patience) {
        return swap(id, null, true, rule, patience);
    }

    /** Decides by this record first, and looks only when it has moved on. */
    public <A> Result<A> swap(KeyRecord seen, Rule<A> rule, Patience patience) {
        return swap(seen.id(), seen, false, rule, patience);
    }

    private <A> Result<A> swap(KeyId id, @Nullable KeyRecord first, boolean look, Rule<A> rule, Patience patience) {
        KeyRecord seen = first;
        boolean lookFirst = look;
        KeyRecord writing = null;
        KeyRecord tried = null;
        int lostRaces = 0;
        while (true) {
            try {
                writing = null;
                if (lookFirst) seen = asOfNow(store.find(id));
                lookFirst = false;
                switch (rule.on(seen)) {
                    case Ruling.Answer<A>(A answer) -> {
                        return new Result.Answered<>(answer, tried);
                    }
                    case Ruling.Become<A>(Change change) -> {
                        writing = Objects.requireNonNull(seen, "only a record can change");
                        switch (store.replace(writing, change)) {
                            case Replaced.Swapped(KeyRecord written) -> {
                                return new Result.Written<>(writing, written);
                            }
                            case Replaced.Moved(Seen current) -> seen = asOfNow(current);
                        }
                    }
                }
                if (++lostRaces > MOST_LOST_RACES)
                    throw StoreException.notApplied("The key changes faster than it can be written: " + id, null);
            } catch (StoreException e) {
                // The write may have happened. Look before deciding again; the rule knows its own work.
                lookFirst = true;
                if (writing != null && e.applied() == StoreException.Applied.UNKNOWN) tried = writing;
                if (!patience.lasts(e)) return new Result.Unanswered<>(e);
            }
        }
    }

    private static @Nullable KeyRecord asOfNow(@Nullable Seen seen) {
        return seen == null ? null : seen.record().asOf(seen.now());
    }
}
