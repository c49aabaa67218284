package dev.semel.store.dynamodb;

import dev.semel.core.key.KeyState.Kind;

/** What a state is called in a table. The names never change, for tables outlive programs. */
final class StateName {
    static final String DONE = "done";
    static final String SPENT = "spent";

    private StateName() {}

    static String of(Kind kind) {
        return switch (kind) {
            case FREE -> "free";
            case HELD -> "held";
            case DONE -> DONE;
            case IN_DOUBT -> "doubt";
            case SPENT -> SPENT;
        };
    }

    static Kind kind(String name) {
        for (Kind kind : Kind.values()) if (of(kind).equals(name)) return kind;
        throw new IllegalArgumentException("no state is called '" + name + "'");
    }
}
