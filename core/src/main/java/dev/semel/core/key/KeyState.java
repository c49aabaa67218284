package dev.semel.core.key;

import java.time.Instant;

/** Where a key stands in its life. All instants are of the store's own clock. */
public sealed interface KeyState {

    /** Released: the operation is known not to have run. Token and first fingerprint stay with the key. */
    record Free(Instant forgetAt) implements KeyState {}

    /** One holder may run the operation; silent past the deadline, it counts as dead. */
    record Held(String holder, Instant leaseUntil) implements KeyState {}

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
