package dev.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an answer must be like. */
public interface Expect {
    /** End-to-end headers that a replay does not have: they were for one caller only. */
    Set<String> NOT_REPLAYED = Set.of("set-cookie", "authorization", "www-authenticate");

    /** Framing and hop-by-hop headers, which may differ although the message is the same. */
    Set<String> FRAMING =
            Set.of("connection", "keep-alive", "transfer-encoding", "content-length", "te", "trailer", "upgrade");

    void check(Received.Response answer, Scene scene);

    static Expect status(int status) {
        return (answer, scene) -> assertEquals(status, answer.status(), "status");
    }

    /** Any of these: where more than one is right. */
    static Expect statusIn(Integer... statuses) {
        return (answer, scene) -> assertTrue(List.of(statuses).contains(answer.status()), "status " + answer.status());
    }

    /** The answer of an attempt that ran, and whose outcome is now kept. */
    static Expect fresh(int status) {
        return (answer, scene) -> {
            assertEquals(status, answer.status(), "status");
            assertEquals(List.of(), answer.headers().all("Idempotent-Replayed"), "Idempotent-Replayed");
            httpDate(answer.headers().first("Idempotency-Expires"));
        };
    }

    /** The first answer again. */
    static Expect replay() {
        return replayOf(1);
    }

    /** An earlier answer again; the first one is 1. */
    static Expect replayOf(int number) {
        return (answer, scene) -> replayed(answer, scene.response(number));
    }

    static void replayed(Received.Response answer, Received.Response first) {
        assertEquals(first.status(), answer.status(), "status");
        assertEquals(List.of("true"), answer.headers().all("Idempotent-Replayed"), "Idempotent-Replayed");
        assertEquals(replayable(first), replayable(answer), "end-to-end headers");
        assertArrayEquals(first.body(), answer.body(), "body");
        httpDate(answer.headers().first("Idempotency-Expires"));
    }

    private static Map<String, List<String>> replayable(Received.Response answer) {
        Map<String, List<String>> fields = answer.headers().byName();
        fields.keySet().removeAll(NOT_REPLAYED);
        fields.keySet().removeAll(FRAMING);
        fields.remove("idempotent-replayed");
        return fields;
    }

    private static void httpDate(@Nullable String value) {
        try {
            ZonedDateTime date = ZonedDateTime.parse(String.valueOf(value), DateTimeFormatter.RFC_1123_DATE_TIME);
            assertTrue(String.valueOf(value).endsWith(" GMT"), "Idempotency-Expires in GMT: " + value);
            assertTrue(date.getYear() > 2020, "Idempotency-Expires: " + value);
        } catch (DateTimeParseException e) {
            throw new AssertionError("Idempotency-Expires is no HTTP date: " + value, e);
        }
    }

    /** An answer of Semel itself, never one that ran. */
    static Expect problem(int status, String name) {
        return (answer, scene) -> {
            assertEquals(status, answer.status(), "status");
            isProblem(answer, name);
            assertFalse(answer.headers().has("Idempotent-Replayed"), "a problem is no replay");
        };
    }

    /** The status is the upstream's; the body is a problem in its place. */
    static Expect notKept(int status) {
        return (answer, scene) -> {
            assertEquals(status, answer.status(), "status");
            isProblem(answer, "response-not-kept");
            assertEquals(List.of("true"), answer.headers().all("Idempotent-Replayed"), "Idempotent-Replayed");
            httpDate(answer.headers().first("Idempotency-Expires"));
        };
    }

    private static void isProblem(Received.Response answer, String name) {
        String text = answer.text();
        assertEquals(List.of("application/problem+json"), answer.headers().all("Content-Type"), "Content-Type");
        assertTrue(has(text, "type", "\"urn:semel:problem:" + name + "\""), "problem type " + name);
        assertTrue(has(text, "status", String.valueOf(answer.status())), "the status in the problem");
        assertTrue(has(text, "title", "\"[^\"]+\""), "a title in the problem");
        assertTrue(
                answer.headers().all("Link").stream()
                        .anyMatch(it -> it.contains("</.well-known/idempotency>; rel=\"describedby\"")),
                "Link: " + answer.headers().all("Link"));
    }

    private static boolean has(String json, String name, String value) {
        return json.matches("(?s).*\"" + name + "\"\\s*:\\s*" + value + ".*");
    }

    /** A member somewhere in a JSON body. */
    static Expect member(String name, String value) {
        return (answer, scene) -> assertTrue(has(answer.text(), name, value), name + " is " + value);
    }

    static Expect header(String name, String... values) {
        return (answer, scene) -> assertEquals(List.of(values), answer.headers().all(name), name);
    }

    static Expect sameHeaderAs(int number, String name) {
        return (answer, scene) -> assertEquals(
                scene.response(number).headers().all(name), answer.headers().all(name), name);
    }

    static Expect headerContains(String name, String part) {
        return (answer, scene) ->
                assertTrue(String.valueOf(answer.headers().first(name)).contains(part), name + " has " + part);
    }

    static Expect headerCount(String name, int count) {
        return (answer, scene) ->
                assertEquals(count, answer.headers().all(name).size(), "number of headers named " + name);
    }

    static Expect present(String name) {
        return (answer, scene) -> assertTrue(answer.headers().has(name), name + " must be there");
    }

    static Expect absent(String... names) {
        return (answer, scene) -> {
            for (String name : names) assertEquals(List.of(), answer.headers().all(name), name);
        };
    }

    /** Whole seconds. */
    static Expect retryAfter() {
        return (answer, scene) -> {
            String value = String.valueOf(answer.headers().first("Retry-After"));
            assertTrue(value.matches("[0-9]{1,6}"), "Retry-After: " + value);
        };
    }

    static Expect body(byte[] bytes) {
        return (answer, scene) -> assertArrayEquals(bytes, answer.body(), "body");
    }

    static Expect body(String text) {
        return (answer, scene) -> assertEquals(scene.fill(text), answer.text(), "body");
    }

    static Expect bodyContains(String part) {
        return (answer, scene) -> assertTrue(answer.text().contains(scene.fill(part)), "body has " + part);
    }

    static Expect sameBodyAs(int number) {
        return (answer, scene) -> assertArrayEquals(scene.response(number).body(), answer.body(), "body");
    }

    static Expect otherBodyThan(int number) {
        return (answer, scene) ->
                assertFalse(java.util.Arrays.equals(scene.response(number).body(), answer.body()), "another body");
    }
}
