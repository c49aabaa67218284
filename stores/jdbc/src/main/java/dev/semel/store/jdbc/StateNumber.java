package dev.semel.store.jdbc;

import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyState.Kind;

/** The number that stands for a state in a table. It never changes, for tables outlive programs. */
final class StateNumber {
    private static final int HELD_TO_RUN_AGAIN = 5;

    private StateNumber() {}

    static int of(Kind kind) {
        return switch (kind) {
            case FREE -> 0;
            case HELD -> 1;
            case DONE -> 2;
            case IN_DOUBT -> 3;
            case SPENT -> 4;
        };
    }

    /** A hold has two numbers, for it says too what its holder's caller was promised. */
    static int held(Guarantee guarantee) {
        return guarantee == Guarantee.AT_LEAST_ONCE ? HELD_TO_RUN_AGAIN : of(Kind.HELD);
    }

    static Guarantee guarantee(int number) {
        return number == HELD_TO_RUN_AGAIN ? Guarantee.AT_LEAST_ONCE : Guarantee.AT_MOST_ONCE;
    }

    static Kind kind(int number) {
        return switch (number) {
            case 0 -> Kind.FREE;
            case 1, HELD_TO_RUN_AGAIN -> Kind.HELD;
            case 2 -> Kind.DONE;
            case 3 -> Kind.IN_DOUBT;
            case 4 -> Kind.SPENT;
            default -> throw new IllegalStateException("No state of a key has the number " + number + ".");
        };
    }
}
