package dev.semel.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProblemTest {
    private static final List<HttpResponse> ALL = List.of(
            Problem.badRequest("there is no Host header"),
            Problem.keyMissing(KeySource.DEFAULT),
            Problem.keyMalformed("Too long."),
            Problem.inProgress(Duration.ofSeconds(1)),
            Problem.outcomeUnknown(409, "no answer", "/.semel/v1/keys/k", null),
            Problem.keySpent(Instant.EPOCH),
            Problem.keyUnknown(),
            Problem.noSuchResource(),
            Problem.bodyTooLarge(1),
            Problem.keyReused(),
            Problem.tooManyWaiters(Duration.ofSeconds(2)),
            Problem.quotaExceeded("keys", Duration.ofMinutes(1)),
            Problem.quotaExceeded("in-flight", Duration.ofSeconds(1)),
            Problem.upstreamUnreachable(),
            Problem.upstreamBroke(),
            Problem.storeUnavailable(),
            Problem.internalError());

    private static String body(HttpResponse response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    @Test
    void every_problem_is_one_by_its_type_and_says_where_the_policy_is() {
        for (HttpResponse problem : ALL) {
            assertEquals("application/problem+json", problem.headers().first("Content-Type"));
            assertEquals(
                    "</.well-known/idempotency>; rel=\"describedby\"",
                    problem.headers().first("Link"));
            assertTrue(body(problem).contains("\"type\":\"urn:semel:problem:"), body(problem));
            assertTrue(body(problem).contains("\"status\":" + problem.status()), body(problem));
            assertTrue(body(problem).contains("\"retry\":\""), body(problem));
        }
    }

    @Test
    void every_problem_is_an_error_to_the_sdks_of_stripe() {
        for (HttpResponse problem : ALL) {
            Matcher error = Pattern.compile("\"error\":\\{\"type\":\"([a-z_]+)\",\"code\":\"([a-z-]+)\",\"message\":\"")
                    .matcher(body(problem));
            assertTrue(error.find(), body(problem));
            assertTrue(body(problem).contains("urn:semel:problem:" + error.group(2) + "\""), body(problem));
            boolean newKeyHelps =
                    Set.of("key-missing", "key-malformed", "key-reused").contains(error.group(2));
            assertEquals(newKeyHelps ? "idempotency_error" : "api_error", error.group(1), body(problem));
        }
    }

    @Test
    void the_sdks_of_stripe_are_told_whether_a_retry_helps() {
        Duration second = Duration.ofSeconds(1);
        assertEquals("true", shouldRetry(Problem.inProgress(second)));
        assertEquals("true", shouldRetry(Problem.tooManyWaiters(second)));
        assertEquals("true", shouldRetry(Problem.upstreamUnreachable()));
        assertEquals("false", shouldRetry(Problem.keyReused()));
        assertEquals("false", shouldRetry(Problem.staleWrite(1, 2)));
        assertEquals("false", shouldRetry(Problem.keySpent(Instant.EPOCH)));
        assertNull(shouldRetry(Problem.outcomeUnknown(409, "no answer", "/.semel/v1/keys/k", null)));
        assertNull(shouldRetry(Problem.upstreamBroke()));
        Headers first = Headers.NONE.with("Stripe-Should-Retry", "true");
        HttpResponse notKept = Problem.responseNotKept(new HttpResponse(500, first, new byte[0]));
        assertEquals(List.of("false"), notKept.headers().all("Stripe-Should-Retry"));
    }

    private static String shouldRetry(HttpResponse problem) {
        return problem.headers().first("Stripe-Should-Retry");
    }

    @Test
    void what_may_be_retried_soon_says_when() {
        assertEquals("1", Problem.inProgress(Duration.ofMillis(10)).headers().first("Retry-After"));
        assertEquals(
                "2", Problem.tooManyWaiters(Duration.ofSeconds(2)).headers().first("Retry-After"));
        assertEquals("1", Problem.storeUnavailable().headers().first("Retry-After"));
        assertEquals("1", Problem.upstreamUnreachable().headers().first("Retry-After"));
        assertNull(Problem.keyReused().headers().first("Retry-After"));
    }

    @Test
    void a_quota_is_named_and_says_when_to_come_back() throws IOException {
        HttpResponse full = Problem.quotaExceeded("in-flight", Duration.ofSeconds(3));
        assertEquals(429, full.status());
        assertEquals("3", full.headers().first("Retry-After"));
        assertEquals("urn:semel:problem:quota-exceeded", member(full, "type"));
        assertEquals("same-key", member(full, "retry"));
        assertTrue(member(full, "detail").contains("(quota in-flight)"), member(full, "detail"));
    }

    @Test
    void a_doubt_says_where_to_ask() {
        HttpResponse doubt = Problem.outcomeUnknown(504, "no answer", "/.semel/v1/keys/k?operation=x", null);
        assertEquals(504, doubt.status());
        assertEquals("/.semel/v1/keys/k?operation=x", doubt.headers().first("Location"));
    }

    @Test
    void what_was_sent_cannot_break_out_of_the_text() {
        assertTrue(body(Problem.badRequest("a \"quote\" and \n a line")).contains("a \\\"quote\\\" and \\n a line"));
    }

    @Test
    void a_body_that_was_not_kept_leaves_status_and_headers_of_the_first_answer() {
        Headers first = Headers.NONE
                .with("Content-Type", "text/csv")
                .with("Location", "/1")
                .with("ETag", "\"x\"");
        HttpResponse replay = Problem.responseNotKept(new HttpResponse(201, first, new byte[0]));
        assertEquals(201, replay.status());
        assertEquals("/1", replay.headers().first("Location"));
        assertEquals(List.of("application/problem+json"), replay.headers().all("Content-Type"));
        assertNull(replay.headers().first("ETag"));
        assertTrue(body(replay).contains("urn:semel:problem:response-not-kept"));
    }

    @Test
    void what_speaks_of_a_body_that_was_not_kept_is_not_repeated_and_the_rest_is() {
        Headers first = Headers.NONE
                .with("Content-Encoding", "gzip")
                .with("Content-Range", "bytes 0-1/2")
                .with("Content-Disposition", "attachment")
                .with("Repr-Digest", "sha-256=:x:")
                .with("Expires", "Thu, 01 Jan 2026 00:00:00 GMT")
                .with("Cache-Control", "max-age=60")
                .with("Link", "</v1>; rel=\"up\"")
                .with("X-Request-Id", "7");
        Headers replay = Problem.responseNotKept(new HttpResponse(200, first, new byte[0]))
                .headers();
        for (String name :
                List.of("Content-Encoding", "Content-Range", "Content-Disposition", "Repr-Digest", "Expires"))
            assertNull(replay.first(name), name);
        assertEquals(List.of("no-store"), replay.all("Cache-Control"));
        assertEquals(
                List.of("</v1>; rel=\"up\"", "</.well-known/idempotency>; rel=\"describedby\""), replay.all("Link"));
        assertEquals("7", replay.first("X-Request-Id"));
    }

    @ParameterizedTest
    @CsvSource({"PT0S, 1", "PT1S, 1", "PT1.001S, 2", "PT1.999999999S, 2", "PT2M, 120", "PT-5S, 1"})
    void the_time_to_wait_is_rounded_up_to_whole_seconds(Duration wait, String expected) {
        assertEquals(expected, Problem.inProgress(wait).headers().first("Retry-After"));
    }

    @Test
    void every_problem_tells_a_person_what_happened_and_what_to_do() throws IOException {
        for (HttpResponse problem : ALL) {
            String detail = member(problem, "detail");
            assertTrue(detail.endsWith("."), detail);
            assertTrue(
                    Pattern.compile("[Nn]othing was sent|not sent on|was sent on|happened|did not happen|is safe|got is"
                                    + " not known|passes nothing")
                            .matcher(detail)
                            .find(),
                    detail);
        }
    }

    @Test
    void whoever_switches_on_retry_knows_all_its_words() throws IOException {
        for (HttpResponse problem : ALL)
            assertTrue(Set.of("corrected", "same-key", "ask-status", "no", "new-key")
                    .contains(member(problem, "retry")));
        assertEquals("no", member(Problem.keySpent(Instant.EPOCH), "retry"));
        assertEquals("new-key", member(Problem.keyReused(), "retry"));
        assertEquals("same-key", member(Problem.upstreamUnreachable(), "retry"));
        assertEquals("ask-status", member(Problem.outcomeUnknown(502, "w", "/l", null), "retry"));
    }

    /** Reads the body as a client would; every problem has the same six members and nothing after them. */
    private static String member(HttpResponse problem, String wanted) throws IOException {
        Map<String, String> members = new LinkedHashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(problem.body())) {
            assertEquals(JsonToken.START_OBJECT, parser.nextToken());
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                parser.nextToken();
                members.put(name, parser.getText());
                parser.skipChildren();
            }
            assertEquals(JsonToken.END_OBJECT, parser.currentToken());
            assertNull(parser.nextToken());
        }
        assertEquals(List.of("type", "title", "status", "detail", "retry", "error"), List.copyOf(members.keySet()));
        return members.get(wanted);
    }
}
