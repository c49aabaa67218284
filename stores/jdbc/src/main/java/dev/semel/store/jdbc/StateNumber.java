package dev.semel.store.jdbc;

import dev.semel.core.key.KeyState.Kind;

/** The number that stands for a state in a table. It never changes, for tables outlive programs. */
final class StateNumber {
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

    static Kind kind(int number) {
        return switch (number) {
            case 0 -> Kind.FREE;
            case 1 -> Kind.HELD;
            case 2 -> Kind.DONE;
            case 3 -> Kind.IN_DOUBT;
            case 4 -> Kind.SPENT;
            default -> throw new IllegalStateException("No state of a key has the number " + number + ".");
        };
    }
}
