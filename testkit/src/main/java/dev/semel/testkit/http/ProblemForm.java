package dev.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The form of every problem, whatever it is about. Stripe's SDKs take an answer without the member {@code error} for a
 * success.
 */
public final class ProblemForm {
    private static final Pattern NAME = Pattern.compile("\"type\":\"urn:semel:problem:([a-z-]+)\"");
    private static final Pattern ERROR = Pattern.compile(
            "\"error\":\\{\"type\":\"(idempotency_error|api_error)\",\"code\":\"([a-z-]+)\",\"message\":\"[^\"]");

    /** Where a new key is the remedy, and runs nothing twice. */
    private static final List<String> ABOUT_THE_KEY = List.of("key-missing", "key-malformed", "key-reused");

    private ProblemForm() {}

    static void check(Received.Response answer) {
        boolean toHead = answer.body().length == 0;
        boolean isProblem = answer.headers().all("Content-Type").contains("application/problem+json");
        if (isProblem && !toHead) check(answer.text());
    }

    /** @param problem the body of a problem */
    public static void check(String problem) {
        Matcher name = NAME.matcher(problem);
        assertTrue(name.find(), "no name of a problem: " + problem);
        Matcher error = ERROR.matcher(problem);
        assertTrue(error.find(), "no member 'error', so Stripe's SDKs take it for a success: " + problem);
        assertEquals(name.group(1), error.group(2), "error.code");
        assertEquals(
                ABOUT_THE_KEY.contains(name.group(1)) ? "idempotency_error" : "api_error", error.group(1), problem);
    }
}
