package dev.semel.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProblemTest {
    private static final List<HttpResponse> ALL = List.of(
            Problem.badRequest("there is no Host header"),
            Problem.keyMissing(),
            Problem.keyMalformed("Too long."),
            Problem.inProgress(Duration.ofSeconds(1)),
            Problem.outcomeUnknown(409, "no answer", "/.semel/v1/keys/k"),
            Problem.keySpent(Instant.EPOCH),
            Problem.keyUnknown(),
            Problem.noSuchResource(),
            Problem.bodyTooLarge(1),
            Problem.keyReused(),
            Problem.tooManyWaiters(Duration.ofSeconds(2)),
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
    void what_may_be_retried_soon_says_when() {
        assertEquals("1", Problem.inProgress(Duration.ofMillis(10)).headers().first("Retry-After"));
        assertEquals(
                "2", Problem.tooManyWaiters(Duration.ofSeconds(2)).headers().first("Retry-After"));
        assertEquals("1", Problem.storeUnavailable().headers().first("Retry-After"));
        assertEquals("1", Problem.upstreamUnreachable().headers().first("Retry-After"));
        assertNull(Problem.keyReused().headers().first("Retry-After"));
    }

    @Test
    void a_doubt_says_where_to_ask() {
        HttpResponse doubt = Problem.outcomeUnknown(504, "no answer", "/.semel/v1/keys/k?operation=x");
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
}
