package dev.semel.torture.report;

import dev.semel.torture.history.Event;
import java.util.Locale;

/** How calls end, in the few kinds that an operator tells apart. Their order is that of the stack, from the ground up. */
enum AnswerKind {
    RAN("ran, and its outcome"),
    REPLAYED("outcome, replayed"),
    BUSY("in progress, or too many at once"),
    REUSED("key used for another payload"),
    UNKNOWN("outcome unknown"),
    UNAVAILABLE("store or service unavailable"),
    OTHER("other answers"),
    LOST("no answer");

    final String words;

    AnswerKind(String words) {
        this.words = words;
    }

    /** Also its class in the page. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    static AnswerKind of(Event.Answered it) {
        if (it.isSuccess()) return it.replayed() ? REPLAYED : RAN;
        return switch (it.problem()) {
            case "in-progress", "too-many-waiters", "quota-exceeded" -> BUSY;
            case "key-reused" -> REUSED;
            case "outcome-unknown" -> UNKNOWN;
            case "upstream-unreachable", "store-unavailable", "stopping" -> UNAVAILABLE;
            case "" -> it.status() == 503 ? UNAVAILABLE : OTHER;
            default -> OTHER;
        };
    }
}
