package dev.semel.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.key.Guarantee;
import dev.semel.http.json.CanonicalJson;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublishedPolicyTest {
    private static final RoutePolicy CHARGES = new RoutePolicy(
            KeyMode.REQUIRED,
            KeyRule.DEFAULT,
            new ClaimPolicy(
                    Guarantee.AT_LEAST_ONCE,
                    Duration.ofSeconds(10),
                    Duration.ofHours(48),
                    Duration.ofDays(30),
                    Duration.ofMillis(1500),
                    null),
            StatusRules.custom().store("2xx").release("4xx", "5xx").doubt("500").build(),
            RequestFingerprint.excluding(List.of("/metadata/<sentAt>")),
            HeaderRules.allowing(List.of("Set-Cookie")),
            null,
            null,
            2048,
            4 << 20);

    private final PublishedPolicy policy = new PublishedPolicy(List.of(
            route("POST /v1/charges", CHARGES),
            route("PUT /v1/<script>&'", RoutePolicy.DEFAULT),
            route("* /**", RoutePolicy.DEFAULT.withKey(KeyMode.OFF))));

    private static PublishedPolicy.Route route(String match, RoutePolicy policy) {
        return new PublishedPolicy.Route(RoutePattern.parse(match), policy);
    }

    @Test
    void programs_get_every_route_with_all_that_is_promised_about_it() {
        HttpResponse answer = policy.answer(Headers.NONE);
        assertEquals(200, answer.status());
        assertEquals("application/json", answer.headers().first("Content-Type"));
        byte[] canonical = CanonicalJson.whole().of(answer.body());
        assertNotNull(canonical);
        assertEquals(
                "{\"expires\":\"Idempotency-Expires\",\"header\":\"Idempotency-Key\","
                        + "\"replayed\":\"Idempotent-Replayed: true\",\"routes\":["
                        + "{\"fingerprint\":{\"algorithm\":1,\"exclude\":[\"/metadata/<sentAt>\"]},"
                        + "\"guarantee\":\"at-least-once\",\"inFlight\":\"wait 1500ms\",\"key\":\"required\","
                        + "\"lease\":\"PT10S\",\"limits\":{\"request\":2048,\"response\":4194304},"
                        + "\"match\":\"POST /v1/charges\",\"retention\":\"PT48H\","
                        + "\"statuses\":{\"doubt\":[\"500\"],\"doubtIf\":{},\"release\":[\"4xx\",\"5xx\"],"
                        + "\"rules\":\"custom\",\"store\":[\"2xx\",\"3xx\"]},\"storeHeaders\":[\"set-cookie\"],"
                        + "\"tombstone\":\"PT720H\"},"
                        + "{\"fingerprint\":{\"algorithm\":1,\"exclude\":[]},\"guarantee\":\"at-most-once\","
                        + "\"inFlight\":\"wait 5s\",\"key\":\"optional\",\"lease\":\"PT30S\","
                        + "\"limits\":{\"request\":1048576,\"response\":4194304},"
                        + "\"match\":\"PUT /v1/<script>&'\",\"retention\":\"PT24H\","
                        + "\"statuses\":{\"doubt\":[\"502\",\"504\"],\"doubtIf\":{\"503\":\""
                        + Distrust.MADE_BY_MESH.when() + "\"},"
                        + "\"release\":[\"401\",\"403\",\"407\",\"408\",\"425\",\"429\",\"503\"],\"rules\":\"default\","
                        + "\"store\":[\"2xx\",\"3xx\",\"4xx\",\"5xx\"]},\"storeHeaders\":[],"
                        + "\"tombstone\":\"PT720H\"},"
                        + "{\"key\":\"off\",\"match\":\"* /**\"}],"
                        + "\"status\":\"/.semel/v1/keys/{key}?operation={operation}\","
                        + "\"syntax\":\"1 to 255 visible ASCII characters, as an RFC 8941 string or bare; a UUID is"
                        + " best\"}",
                new String(canonical, UTF_8));
    }

    @Test
    void people_get_a_page_with_every_route() {
        String page = page();
        for (String text : List.of(
                "POST /v1/charges",
                "PUT /v1/&lt;script&gt;&amp;&#39;",
                "* /**",
                "key required",
                "key optional",
                "key off",
                "at-least-once",
                "wait 1500ms",
                "2 KiB",
                "4 MiB",
                "503 leaves doubt when",
                "/metadata/&lt;sentAt&gt;")) assertTrue(page.contains(text), text);
    }

    @Test
    void the_page_needs_nothing_from_elsewhere_and_runs_nothing() {
        String page = page();
        assertFalse(Pattern.compile("(?i)<script|<link|<img|<iframe|src=|href=|url\\(|@import|https?://|\\son[a-z]+=")
                .matcher(page)
                .find());
        HttpResponse answer = policy.answer(Headers.NONE.with("Accept", "text/html"));
        assertEquals(
                "default-src 'none'; style-src 'unsafe-inline'",
                answer.headers().first("Content-Security-Policy"));
        assertEquals("nosniff", answer.headers().first("X-Content-Type-Options"));
        assertFalse(page.contains("$ROUTES"));
    }

    @Test
    void the_tags_of_the_page_are_balanced() {
        Deque<String> open = new ArrayDeque<>();
        Matcher tags = Pattern.compile("<(/?)([a-z0-9]+)[^>]*>").matcher(page());
        while (tags.find()) {
            if (tags.group(2).equals("meta")) continue;
            if (tags.group(1).isEmpty()) open.push(tags.group(2));
            else assertEquals(tags.group(2), open.pop());
        }
        assertTrue(open.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/html",
                "TEXT/HTML",
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                "text/*, application/json;q=0.5",
                "application/json;q=0.1, text/html;q=0.2",
                "text/html;level=1",
                "text/html ; q=0.001, application/json;q=0"
            })
    void who_would_rather_have_a_page_gets_one(String accept) {
        assertEquals("text/html; charset=utf-8", type(accept));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*/*",
                "application/json",
                "application/json, text/html;q=0.9",
                "text/html;q=0",
                "text/html;q=0.5, */*",
                "text/html;q=0, */*",
                "text/html, application/json",
                "application/*",
                "image/png",
                "text/htmlx",
                ";;,,;q=",
                "text"
            })
    void everybody_else_gets_json(String accept) {
        assertEquals("application/json", type(accept));
    }

    @Test
    void caches_are_told_that_there_are_two_forms() {
        assertEquals("Accept", policy.answer(Headers.NONE).headers().first("Vary"));
    }

    @ParameterizedTest
    @CsvSource({"0, 0 bytes", "1, 1 bytes", "1024, 1 KiB", "1500, 1500 bytes", "1048576, 1 MiB", "1049600, 1025 KiB"})
    void sizes_are_told_in_words(long bytes, String expected) {
        assertEquals(expected, PolicyText.size(bytes));
    }

    private String type(String accept) {
        return policy.answer(Headers.NONE.with("Accept", accept)).headers().first("Content-Type");
    }

    private String page() {
        return new String(
                policy.answer(Headers.NONE.with("Accept", "text/html")).body(), UTF_8);
    }
}
