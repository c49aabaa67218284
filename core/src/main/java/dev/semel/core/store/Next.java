package dev.semel.core.store;

import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A state to enter. Times are relative, for only the store's own clock knows what "now" is when the write happens. */
public sealed interface Next {

    /**
     * A hold, or one that goes on.
     *
     * @param guarantee what the holder's caller is promised about a second run
     * @param heldSince for a renewal, when the hold began; null when it begins now
     */
    record Held(
            String holder,
            Duration lease,
            Guarantee guarantee,
            @Nullable Instant heldSince) implements Next {
        public Held(String holder, Duration lease, @Nullable Instant heldSince) {
            this(holder, lease, Guarantee.AT_MOST_ONCE, heldSince);
        }
    }

    /**
     * An end, or one that is known from elsewhere.
     *
     * @param doneSince for a record that comes from another store, when it was finished there; null when it is finished now
     */
    record Done(
            Outcome outcome,
            Duration retention,
            Duration tombstone,
            @Nullable Instant doneSince) implements Next {
        public Done(Outcome outcome, Duration retention, Duration tombstone) {
            this(outcome, retention, tombstone, null);
        }
    }

    record Free(Duration keep) implements Next {}

    /**
     * A doubt, or one that goes on.
     *
     * @param probes how many times someone has set out to find out
     * @param probeIn from when on someone may set out again
     * @param doubtSince when the doubt began; null when it begins now
     */
    record InDoubt(
            String reason,
            int probes,
            Duration probeIn,
            @Nullable Instant doubtSince) implements Next {
        public InDoubt(String reason) {
            this(reason, 0, Duration.ZERO, null);
        }
    }

    /** The state entered when the write happens at this instant. */
    default KeyState at(Instant now) {
        return switch (this) {
            case Held held -> new KeyState.Held(held.holder(), now.plus(held.lease()), held.guarantee());
            case Done done ->
                new KeyState.Done(
                        done.outcome(),
                        now.plus(done.retention()),
                        now.plus(done.retention()).plus(done.tombstone()));
            case Free free -> new KeyState.Free(now.plus(free.keep()));
            case InDoubt doubt -> new KeyState.InDoubt(doubt.reason(), doubt.probes(), now.plus(doubt.probeIn()));
        };
    }
}
