package dev.semel.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderRulesTest {
    private static Headers headers(String... namesAndValues) {
        Headers headers = Headers.NONE;
        for (int i = 0; i < namesAndValues.length; i += 2)
            headers = headers.with(namesAndValues[i], namesAndValues[i + 1]);
        return headers;
    }

    @Test
    void what_belongs_to_one_connection_is_neither_stored_nor_passed_on() {
        Headers answer = headers(
                "Connection",
                "close, X-Hop",
                "Keep-Alive",
                "timeout=5",
                "Transfer-Encoding",
                "chunked",
                "X-Hop",
                "1",
                "Trailer",
                "X",
                "Upgrade",
                "h2c",
                "Proxy-Authenticate",
                "Basic",
                "ETag",
                "\"1\"");
        assertEquals(headers("ETag", "\"1\""), HeaderRules.DEFAULT.stored(answer));
        assertEquals(headers("ETag", "\"1\""), HeaderRules.DEFAULT.forClient(answer));
    }

    @Test
    void secrets_reach_the_client_they_are_for_and_no_replay() {
        Headers answer =
                headers("Set-Cookie", "s=1", "WWW-Authenticate", "Basic", "Authorization", "x", "Location", "/1");
        assertEquals(headers("Location", "/1"), HeaderRules.DEFAULT.stored(answer));
        assertEquals(answer, HeaderRules.DEFAULT.forClient(answer));
    }

    @Test
    void a_header_that_is_allowed_by_name_is_stored() {
        Headers answer = headers("Set-Cookie", "s=1", "set-cookie", "t=2", "Authorization", "x");
        assertEquals(
                headers("Set-Cookie", "s=1", "set-cookie", "t=2"),
                HeaderRules.allowing(List.of("SET-cookie")).stored(answer));
    }

    @Test
    void repeated_headers_stay_apart_and_in_order() {
        Headers answer = headers("Link", "<a>", "Warning", "1, 2", "Link", "<b>");
        assertEquals(answer, HeaderRules.DEFAULT.stored(answer));
    }

    @Test
    void the_length_is_not_stored_for_it_follows_from_the_body() {
        assertEquals(Headers.NONE, HeaderRules.DEFAULT.stored(headers("Content-Length", "7")));
    }

    @Test
    void nobody_but_the_gateway_speaks_in_its_name() {
        Headers request =
                headers("Semel-Fencing-Token", "99", "semel-attempt", "7", "Idempotency-Key", "\"k\"", "Host", "api");
        Headers onward = HeaderRules.forUpstream(request, "10.0.0.1", "api", "http");
        assertNull(onward.first("Semel-Fencing-Token"));
        assertNull(onward.first("Semel-Attempt"));
        assertEquals("\"k\"", onward.first("Idempotency-Key"));
        assertEquals("api", onward.first("Host"));
    }

    @Test
    void a_client_cannot_strike_out_its_key_or_its_framing() {
        Headers request = headers(
                "Connection",
                "Idempotency-Key, Content-Length, Host",
                "Idempotency-Key",
                "k",
                "Content-Length",
                "3",
                "Host",
                "h");
        Headers onward = HeaderRules.forUpstream(request, "10.0.0.1", "h", "http");
        assertEquals("k", onward.first("Idempotency-Key"));
        assertEquals("3", onward.first("Content-Length"));
        assertEquals("h", onward.first("Host"));
    }

    @Test
    void the_way_it_came_is_added_to_the_way_before() {
        Headers request = headers("X-Forwarded-For", "1.1.1.1", "Forwarded", "for=1.1.1.1");
        Headers onward = HeaderRules.forUpstream(request, "2001:db8::1", "a\"b", "https");
        assertEquals(List.of("1.1.1.1, 2001:db8::1"), onward.all("X-Forwarded-For"));
        assertEquals(List.of("for=1.1.1.1, for=\"[2001:db8::1]\";host=\"ab\";proto=https"), onward.all("Forwarded"));
        assertEquals(List.of("https"), onward.all("X-Forwarded-Proto"));
    }

    @Test
    void what_only_semel_may_say_about_a_key_is_not_taken_from_an_upstream() {
        Headers answer = headers(
                "Idempotent-Replayed", "true", "IDEMPOTENCY-EXPIRES", "never", "Semel-Outcome", "store", "ETag", "1");
        assertEquals(headers("ETag", "1"), HeaderRules.DEFAULT.stored(answer));
        assertEquals(headers("ETag", "1"), HeaderRules.DEFAULT.forClient(answer));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Connection", "transfer-encoding", "Semel-Outcome", "Content-Length", "Idempotent-Replayed"})
    void what_is_never_stored_cannot_be_allowed(String name) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> HeaderRules.allowing(List.of("Set-Cookie", name)));
        assertTrue(String.valueOf(refused.getMessage()).contains(name));
    }

    @Test
    void what_is_allowed_can_be_asked_for() {
        assertEquals(Set.of(), HeaderRules.DEFAULT.allowed());
        assertEquals(
                Set.of("set-cookie", "x-a"),
                HeaderRules.allowing(List.of("Set-Cookie", "X-A", "x-a")).allowed());
    }

    @Test
    void what_earlier_hops_said_stays_in_front_and_empty_words_are_dropped() {
        Headers request =
                headers("forwarded", "for=1.1.1.1", "X-Forwarded-For", "", "Forwarded", "for=2.2.2.2, for=3.3.3.3");
        Headers onward = HeaderRules.forUpstream(request, "fe80::4%eth0", "h:80", "http");
        assertEquals(
                List.of("for=1.1.1.1, for=2.2.2.2, for=3.3.3.3, for=\"[fe80::4]\";host=\"h:80\";proto=http"),
                onward.all("Forwarded"));
        assertEquals(List.of("fe80::4"), onward.all("X-Forwarded-For"));
        assertEquals(List.of("h:80"), onward.all("X-Forwarded-Host"));
    }
}
