package dev.semel.http;

import static dev.semel.http.StatusClass.DOUBT;
import static dev.semel.http.StatusClass.RELEASE;
import static dev.semel.http.StatusClass.STORE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusRulesTest {
    private static final Set<Integer> NEVER_RAN = Set.of(401, 403, 407, 408, 425, 429, 503);

    @Test
    void by_default_all_is_stored_but_what_never_ran_and_what_nobody_knows() {
        for (int status = 200; status <= 999; status++) {
            StatusClass expected =
                    NEVER_RAN.contains(status) ? RELEASE : status == 502 || status == 504 ? DOUBT : STORE;
            assertEquals(expected, StatusRules.DEFAULT.verdict(status), "status " + status);
        }
    }

    @Test
    void stripe_also_releases_what_failed_validation_and_what_conflicted() {
        for (int status = 200; status <= 999; status++) {
            StatusClass expected = status == 400 || status == 409 ? RELEASE : StatusRules.DEFAULT.verdict(status);
            assertEquals(expected, StatusRules.STRIPE_V1.verdict(status), "status " + status);
        }
        assertEquals(STORE, StatusRules.STRIPE_V1.verdict(402));
        assertEquals(STORE, StatusRules.STRIPE_V1.verdict(500));
    }

    @Test
    void success_only_stores_nothing_but_success_and_still_knows_doubt() {
        for (int status = 200; status <= 599; status++) {
            StatusClass expected = status < 300 ? STORE : status == 502 || status == 504 ? DOUBT : RELEASE;
            assertEquals(expected, StatusRules.SUCCESS_ONLY.verdict(status), "status " + status);
        }
    }

    @Test
    void ietf_stores_success_and_errors_but_not_a_conflict_with_an_attempt_under_way() {
        for (int status = 200; status <= 999; status++) {
            StatusClass expected = status == 409 ? RELEASE : StatusRules.DEFAULT.verdict(status);
            assertEquals(expected, StatusRules.IETF.verdict(status), "status " + status);
        }
    }

    @Test
    void presets_are_found_by_name_and_know_it() {
        assertSame(StatusRules.DEFAULT, StatusRules.named("default"));
        assertSame(StatusRules.STRICT, StatusRules.named("strict"));
        assertSame(StatusRules.STRIPE_V1, StatusRules.named("stripe-v1"));
        assertSame(StatusRules.SUCCESS_ONLY, StatusRules.named("2xx-only"));
        assertSame(StatusRules.IETF, StatusRules.named("ietf"));
        for (String name : List.of("default", "strict", "stripe-v1", "2xx-only", "ietf"))
            assertEquals(name, StatusRules.named(name).name());
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> StatusRules.named("stripe"));
        assertTrue(e.getMessage().contains("stripe-v1"));
    }

    @Test
    void in_custom_rules_a_status_goes_before_its_class_and_what_is_not_named_is_as_by_default() {
        StatusRules rules = StatusRules.custom()
                .release("4xx", "503")
                .store("2xx", "402")
                .doubt("500", "502")
                .build();
        assertEquals("custom", rules.name());
        for (int status = 200; status <= 599; status++) {
            StatusClass expected = StatusRules.DEFAULT.verdict(status);
            if (status / 100 == 4) expected = status == 402 ? STORE : RELEASE;
            if (status == 500) expected = DOUBT;
            assertEquals(expected, rules.verdict(status), "status " + status);
        }
    }

    @Test
    void a_class_in_custom_rules_goes_before_a_single_status_of_the_default() {
        StatusRules rules = StatusRules.custom().release("5xx").build();
        assertEquals(RELEASE, rules.verdict(502));
        assertEquals(RELEASE, rules.verdict(504));
    }

    @Test
    void a_status_must_not_be_named_under_two_verdicts() {
        StatusRules.Builder builder = StatusRules.custom().store("2xx", "402", "402");
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> builder.release("402"));
        assertEquals("The status 402 is named under both store and release.", e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "2", "20", "2000", "xxx", "1xx", "100", "6xx", "600", "2XX", "20x", " 200", "-200", "2xx "})
    void what_is_no_status_is_refused(String status) {
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> StatusRules.custom().store(status));
        assertTrue(e.getMessage().contains("'" + status + "'"));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 100, 101, 103, 199, 1000})
    void only_a_final_status_has_a_verdict(int status) {
        assertThrows(IllegalArgumentException.class, () -> StatusRules.DEFAULT.verdict(status));
    }

    @ParameterizedTest
    @CsvSource({
        "200, release, RELEASE",
        "200, doubt, DOUBT",
        "503, store, STORE",
        "502, ' Store ', STORE",
        "429, DOUBT, DOUBT",
        "200, '', STORE",
        "502, yes, DOUBT",
        "503, 'store, release', RELEASE"
    })
    void an_upstream_can_decide_for_one_answer(int status, String header, StatusClass expected) {
        Headers upstream = Headers.NONE.with("semel-outcome", header);
        assertEquals(expected, StatusRules.DEFAULT.verdict(status, upstream));
    }

    @Test
    void an_upstream_that_says_nothing_or_says_it_twice_decides_nothing() {
        assertEquals(STORE, StatusRules.DEFAULT.verdict(200, Headers.NONE));
        Headers twice = Headers.NONE.with("Semel-Outcome", "release").with("Semel-Outcome", "release");
        assertEquals(STORE, StatusRules.DEFAULT.verdict(200, twice));
    }

    @ParameterizedTest
    @CsvSource({
        "503, server=envoy, '', DOUBT",
        "503, Server= Istio-Envoy, no healthy upstream, DOUBT",
        "503, server=envoy;x-envoy-upstream-service-time=12, busy, RELEASE",
        "503, server=envoy;retry-after=1, '', RELEASE",
        "503, server=envoy;x-envoy-overloaded=true, upstream overflow, DOUBT",
        "503, server=nginx, '', RELEASE",
        "503, '', '', RELEASE",
        "503, server=envoyish, '', RELEASE",
        "503, server=envoy;semel-outcome=release, '', RELEASE",
        "503, server=envoy;x-envoy-upstream-service-time=1, upstream connect error or disconnect/reset before headers,"
                + " DOUBT",
        "503, server=uvicorn, upstream connect error or disconnect/reset before headers. reset reason: x, DOUBT",
        "503, retry-after=1, upstream connect error or disconnect/reset before headers, RELEASE",
        "429, server=envoy, '', RELEASE",
        "500, server=envoy, '', STORE",
        "200, server=envoy, '', STORE"
    })
    void a_503_that_a_mesh_made_itself_is_not_believed(int status, String headers, String body, StatusClass expected) {
        HttpResponse answer = new HttpResponse(status, headers(headers), body.getBytes(StandardCharsets.UTF_8));
        for (StatusRules rules : List.of(StatusRules.DEFAULT, StatusRules.STRIPE_V1, StatusRules.IETF))
            assertEquals(expected, rules.verdict(answer), rules.name());
        if (status == 503) assertEquals(expected, StatusRules.SUCCESS_ONLY.verdict(answer));
    }

    @ParameterizedTest
    @CsvSource({
        "503, '', DOUBT",
        "429, '', DOUBT",
        "503, retry-after=7, RELEASE",
        "429, 'Retry-After=Wed, 21 Oct 2026 07:28:00 GMT', RELEASE",
        "401, '', RELEASE",
        "408, '', RELEASE",
        "502, retry-after=1, DOUBT",
        "500, '', STORE"
    })
    void strict_rules_believe_a_busy_service_only_when_it_says_until_when(
            int status, String headers, StatusClass expected) {
        assertEquals(expected, StatusRules.STRICT.verdict(status, headers(headers)));
    }

    @ParameterizedTest
    @CsvSource({"release, 503, RELEASE", "release, 5xx, RELEASE", "store, 503, STORE", "release, 4xx, DOUBT"})
    void what_custom_rules_name_is_believed_whoever_made_it(String word, String status, StatusClass expected) {
        StatusRules.Builder builder = StatusRules.custom();
        StatusRules rules = (word.equals("release") ? builder.release(status) : builder.store(status)).build();
        assertEquals(expected, rules.verdict(503, headers("server=envoy")));
        assertEquals(expected != DOUBT, rules.distrusted().isEmpty());
    }

    private static Headers headers(String text) {
        Headers headers = Headers.NONE;
        for (String field : text.split(";")) {
            int equals = field.indexOf('=');
            if (equals > 0) headers = headers.with(field.substring(0, equals), field.substring(equals + 1));
        }
        return headers;
    }

    @Test
    void rules_can_be_listed_in_the_words_of_the_configuration() {
        assertEquals(List.of("2xx", "3xx", "4xx", "5xx"), StatusRules.DEFAULT.listed(STORE));
        assertEquals(List.of("401", "403", "407", "408", "425", "429", "503"), StatusRules.DEFAULT.listed(RELEASE));
        assertEquals(List.of("502", "504"), StatusRules.DEFAULT.listed(DOUBT));
        assertEquals(List.of("2xx"), StatusRules.SUCCESS_ONLY.listed(STORE));
        assertEquals(List.of("3xx", "4xx", "5xx"), StatusRules.SUCCESS_ONLY.listed(RELEASE));
    }

    @Test
    void what_is_listed_builds_the_same_rules_again() {
        for (StatusRules rules : List.of(
                StatusRules.DEFAULT,
                StatusRules.STRICT,
                StatusRules.STRIPE_V1,
                StatusRules.SUCCESS_ONLY,
                StatusRules.IETF,
                StatusRules.custom()
                        .doubt("2xx")
                        .store("204", "3xx")
                        .release("5xx", "418")
                        .build())) {
            StatusRules again = StatusRules.custom()
                    .store(rules.listed(STORE).toArray(String[]::new))
                    .release(rules.listed(RELEASE).toArray(String[]::new))
                    .doubt(rules.listed(DOUBT).toArray(String[]::new))
                    .build();
            for (int status = 200; status <= 599; status++)
                assertEquals(rules.verdict(status), again.verdict(status), rules.name() + " " + status);
        }
    }
}
