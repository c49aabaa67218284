package dev.semel.admin;

import dev.semel.core.key.KeyState;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;

/** The states of a key in the words that clients know too. */
final class StateWord {
    static final String IN_PROGRESS = "in-progress";
    static final String IN_DOUBT = "in-doubt";

    private StateWord() {}

    /** A holder whose lease ran out will not be waited for: that is already a doubt, or a free key. */
    static String of(KeyState state, Instant now) {
        return of(state instanceof KeyState.Held held ? held.countsAs(now) : state.kind());
    }

    static String of(KeyState.Kind kind) {
        return switch (kind) {
            case FREE -> "free";
            case HELD -> IN_PROGRESS;
            case DONE -> "done";
            case IN_DOUBT -> IN_DOUBT;
            case SPENT -> "spent";
        };
    }

    /** The kinds of records that may count as this. */
    static Set<KeyState.Kind> kindsOf(String word) {
        return switch (word) {
            case "free" -> EnumSet.of(KeyState.Kind.FREE, KeyState.Kind.HELD);
            case IN_PROGRESS -> EnumSet.of(KeyState.Kind.HELD);
            case "done" -> EnumSet.of(KeyState.Kind.DONE);
            case IN_DOUBT -> EnumSet.of(KeyState.Kind.IN_DOUBT, KeyState.Kind.HELD);
            case "spent" -> EnumSet.of(KeyState.Kind.SPENT);
            default ->
                throw new IllegalArgumentException(
                        "'" + word + "' is none of in-doubt, in-progress, done, spent and free");
        };
    }
}
