package dev.semel.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.semel.client.ledger.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What answers mean; first on a first try, then after one that may have run. */
class AnswerRulesTest {

    @ParameterizedTest
    @CsvSource(textBlock = """
        in-progress,          409, may have run
        outcome-unknown,      409, may have run
        outcome-unknown,      502, may have run
        outcome-unknown,      504, may have run
        too-many-waiters,     429, may have run
        quota-exceeded,       429, not this time
        upstream-unreachable, 502, not this time
        store-unavailable,    503, not this time
        stopping,             503, not this time
        overloaded,           503, not this time
        tenant-unavailable,   503, not this time
        too-slow,             408, not this time
        key-spent,            410, KEY_SPENT
        key-too-old,          410, KEY_TOO_OLD
        key-reused,           422, KEY_REUSED
        stale-write,          409, STALE
        tenant-unknown,       401, NOT_AUTHORIZED
        response-not-kept,    201, settles
        response-not-kept,    500, settles
        """)
    void problems_of_semel(String name, int status, String meaning) {
        String body = "{\"type\":\"urn:semel:problem:" + name + "\",\"retry\":\"same-key\"}";
        assertMeans(meaning, meaning, status, body);
    }

    @ParameterizedTest
    @CsvSource({
        "key-missing,corrected,BAD_REQUEST",
        "body-too-large,corrected,BAD_REQUEST",
        "of-a-later-version,corrected,BAD_REQUEST",
        "of-a-later-version,same-key,may have run",
        "of-a-later-version,new-key,KEY_REUSED",
        "of-a-later-version,ask-status,may have run",
        "of-a-later-version,no,may have run"
    })
    void problems_of_semel_that_say_what_to_do(String name, String retry, String meaning) {
        String body = "{\"type\":\"urn:semel:problem:" + name + "\",\"retry\":\"" + retry + "\"}";
        assertMeans(meaning, meaning, 400, body);
    }

    @Test
    void answers_of_stripe() {
        assertMeans("may have run", "may have run", 409, error("invalid_request_error", "idempotency_key_in_use"));
        assertMeans("may have run", "may have run", 409, error("idempotency_error", ""));
        assertMeans("KEY_REUSED", "KEY_REUSED", 400, error("idempotency_error", ""));
        assertMeans("not this time", "not this time", 429, error("invalid_request_error", "lock_timeout"));
        assertMeans("not this time", "not this time", 429, error("invalid_request_error", "rate_limit"));
        assertMeans("settles", "settles", 402, error("card_error", "card_declined"));
        assertMeans("settles", "settles", 500, "{}", "Stripe-Should-Retry", "false");
        assertMeans("settles", "settles", 409, "{}", "Stripe-Should-Retry", "false");
        assertMeans("may have run", "may have run", 409, "{}", "Stripe-Should-Retry", "true");
        assertMeans("not this time", "not this time", 400, "{}", "Stripe-Should-Retry", "true");
        assertMeans("NOT_AUTHORIZED", "NOT_AUTHORIZED", 401, "{}", "Stripe-Should-Retry", "false");
        assertMeans("not this time", "not this time", 429, "{}", "Stripe-Should-Retry", "false");
        assertMeans("settles", "settles", 500, "{}", "Idempotent-Replayed", "true");
        assertMeans("settles", "settles", 429, "{}", "Idempotent-Replayed", "true");
    }

    private static String error(String type, String code) {
        return "{\"error\":{\"charge\":{\"code\":\"x\"},\"type\":\"" + type + "\",\"code\":\"" + code + "\"}}";
    }

    @Test
    void answers_of_the_ietf_draft() {
        String about = "{\"type\":\"https://developer.example.com/idempotency\",\"title\":\"%s\"}";
        assertMeans("BAD_REQUEST", "BAD_REQUEST", 400, about.formatted("Idempotency-Key is missing"));
        assertMeans("may have run", "may have run", 409, about.formatted("A request is outstanding"));
        assertMeans("KEY_REUSED", "KEY_REUSED", 422, about.formatted("Idempotency-Key is already used"));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
        200, settles,        settles
        201, settles,        settles
        300, settles,        not this time
        301, settles,        not this time
        302, settles,        not this time
        304, settles,        not this time
        305, settles,        not this time
        303, settles,        settles
        307, REDIRECTED,     REDIRECTED
        308, REDIRECTED,     REDIRECTED
        400, settles,        settles
        401, NOT_AUTHORIZED, NOT_AUTHORIZED
        402, settles,        settles
        403, NOT_AUTHORIZED, NOT_AUTHORIZED
        404, settles,        not this time
        405, settles,        not this time
        407, NOT_AUTHORIZED, NOT_AUTHORIZED
        408, not this time,  not this time
        409, settles,        may have run
        410, settles,        settles
        412, settles,        settles
        422, settles,        settles
        425, not this time,  not this time
        429, not this time,  not this time
        500, may have run,   may have run
        502, may have run,   may have run
        503, may have run,   may have run
        504, may have run,   may have run
        """)
    void answers_of_plain_http(int status, String first, String retry) {
        assertMeans(first, retry, status, "");
        assertMeans(first, retry, status, "<html>{");
        assertMeans(first, retry, status, "[\"deep\",{\"type\":3}");
    }

    @Test
    void a_server_that_says_when_to_come_back_has_run_nothing_but_a_conflict_may_be_another_attempt() {
        assertMeans("not this time", "not this time", 503, "", "Retry-After", "1");
        assertMeans("may have run", "may have run", 409, "", "Retry-After", "1");
    }

    @ParameterizedTest
    @ValueSource(ints = {409, 410, 422})
    void what_may_be_about_the_key_and_cannot_be_read_settles_nothing(int status) {
        byte[] body = "{\"type\":\"urn:semel:problem:outc".getBytes(StandardCharsets.UTF_8);
        Map<String, List<String>> json = Map.of("Content-Type", List.of("application/json"));
        Map<String, List<String>> packed =
                Map.of("Content-Type", List.of("application/json"), "Content-Encoding", List.of("gzip"));
        assertEquals("may have run", inWords(AnswerRules.of(new Response(status, json, body, false), false)));
        assertEquals("may have run", inWords(AnswerRules.of(new Response(status, packed, body, true), false)));
        assertEquals(
                "may have run",
                inWords(AnswerRules.of(new Response(status, json, new byte[Problem.LARGEST + 1], true), false)));
    }

    private static void assertMeans(String first, String retry, int status, String body, String... headers) {
        Map<String, List<String>> all =
                new TreeMap<>(Map.of("Content-Type", List.of("application/json; charset=utf-8")));
        for (int i = 0; i < headers.length; i += 2) all.put(headers[i], List.of(headers[i + 1]));
        Response response = new Response(status, all, body.getBytes(StandardCharsets.UTF_8), true);
        assertEquals(first, inWords(AnswerRules.of(response, false)), status + " " + body);
        assertEquals(retry, inWords(AnswerRules.of(response, true)), status + " " + body + " on a retry");
    }

    private static String inWords(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Settles it -> "settles";
            case Verdict.Refuses it -> it.reason().name();
            case Verdict.Again it -> it.mayHaveRun() ? "may have run" : "not this time";
        };
    }
}
