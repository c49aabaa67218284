package dev.semel.torture.check;

import dev.semel.torture.history.Event;
import java.util.Set;

/** The answers of the documentation, as data. What a run does not set up (quotas aside: tenants, order, the age of keys) is left out. */
final class Answers {
    /** What a client that asks properly may be told by Semel itself. */
    private static final Set<String> DOCUMENTED = Set.of(
            "408 too-slow",
            "409 in-progress",
            "409 outcome-unknown",
            "410 key-spent",
            "422 key-reused",
            "429 too-many-waiters",
            "429 quota-exceeded",
            "502 upstream-unreachable",
            "502 outcome-unknown",
            "503 store-unavailable",
            "503 stopping",
            "504 outcome-unknown");

    /** These say that the key could not be looked at, and nothing of the key: they are true at any time. */
    private static final Set<String> UNAVAILABLE = Set.of("408 too-slow", "503 store-unavailable", "503 stopping");

    /** The call that got one of these was not sent on. */
    private static final Set<String> NOT_SENT = Set.of(
            "408 too-slow",
            "409 in-progress",
            "410 key-spent",
            "422 key-reused",
            "429 too-many-waiters",
            "429 quota-exceeded",
            "502 upstream-unreachable",
            "503 store-unavailable",
            "503 stopping");

    /** With these the service says that it did not act: passed on, and not recorded. */
    private static final Set<Integer> RELEASING = Set.of(401, 403, 407, 408, 425, 429, 503);

    /** With these nobody knows: the client is told so by a problem, and never sees them as they are. */
    private static final Set<Integer> DOUBTFUL = Set.of(502, 504);

    private Answers() {}

    static String name(int status, String problem) {
        return problem.isEmpty() ? Integer.toString(status) : status + " " + problem;
    }

    static String name(Event.Answered it) {
        return name(it.status(), it.problem());
    }

    /** A success, or another answer of the service that is recorded for good. */
    static boolean isOutcome(int status, String problem) {
        if (isSuccess(status)) return true;
        return problem.isEmpty() && status >= 300 && !RELEASING.contains(status) && !DOUBTFUL.contains(status);
    }

    static boolean isOutcome(Event.Answered it) {
        return isOutcome(it.status(), it.problem());
    }

    static boolean isSuccess(int status) {
        return status >= 200 && status < 300;
    }

    static boolean isDocumented(Event.Answered it) {
        if (isOutcome(it)) return true;
        return it.problem().isEmpty() ? RELEASING.contains(it.status()) : DOCUMENTED.contains(name(it));
    }

    static boolean isUnavailable(Event.Answered it) {
        return UNAVAILABLE.contains(name(it));
    }

    static boolean saysNotSent(Event.Answered it) {
        return NOT_SENT.contains(name(it));
    }
}
