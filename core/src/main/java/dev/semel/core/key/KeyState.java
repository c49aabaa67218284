package dev.semel.core.key;

import java.time.Instant;

/** Where a key stands in its life. All instants are of the store's own clock. */
public sealed interface KeyState {

    /** Released: the operation is known not to have run. Token and first fingerprint stay with the key. */
    record Free(Instant forgetAt) implements KeyState {}

    /**
     * One holder may run the operation; silent past the deadline, it counts as dead.
     *
     * @param guarantee what this holder's own caller was promised about a second run
     */
    record Held(String holder, Instant leaseUntil, Guarantee guarantee) implements KeyState {
        /** What the name of nobody begins with: of the seal that a key leaves behind when it moves to another store. */
        public static final String SEAL = "semel:moved";

        public Held(String holder, Instant leaseUntil) {
            this(holder, leaseUntil, Guarantee.AT_MOST_ONCE);
        }

        /** Whether the key has moved to another store: what is decided about it is decided there. */
        public boolean isSeal() {
            return holder.startsWith(SEAL);
        }

        public boolean isSilent(Instant now) {
            return !now.isBefore(leaseUntil);
        }

        /** What a key is to whoever asks about it: past its lease, in doubt, or free where it may run again anyway. */
        public Kind countsAs(Instant now) {
            if (!isSilent(now)) return Kind.HELD;
            return guarantee == Guarantee.AT_MOST_ONCE ? Kind.IN_DOUBT : Kind.FREE;
        }
    }

    /** The operation ran and this is its outcome; replayed until the first instant, remembered until the second. */
    record Done(Outcome outcome, Instant replayUntil, Instant forgetAt) implements KeyState {}

    /**
     * The operation may or may not have happened, and nobody here can tell yet.
     *
     * @param probes how many times someone has set out to find out
     * @param nextProbe from when on someone may set out again; until then, the last one may still be on its way
     */
    record InDoubt(String reason, int probes, Instant nextProbe) implements KeyState {}

    /** A tombstone: the operation did happen, its outcome is no longer kept. */
    record Spent(Instant doneAt, Instant forgetAt) implements KeyState {}

    /** The five states by name, for lists and for stores that keep a number. */
    enum Kind {
        FREE,
        HELD,
        DONE,
        IN_DOUBT,
        SPENT
    }

    default Kind kind() {
        return switch (this) {
            case Free free -> Kind.FREE;
            case Held held -> Kind.HELD;
            case Done done -> Kind.DONE;
            case InDoubt doubt -> Kind.IN_DOUBT;
            case Spent spent -> Kind.SPENT;
        };
    }
}
