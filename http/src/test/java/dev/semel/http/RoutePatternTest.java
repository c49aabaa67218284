package dev.semel.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutePatternTest {

    @ParameterizedTest
    @CsvSource({
        "POST /v1/charges,           POST, /v1/charges,          true",
        "POST /v1/charges,           PUT,  /v1/charges,          false",
        "POST /v1/charges,           POST, /v1/charges/,         false",
        "POST /v1/charges,           POST, /v1/charges/1,        false",
        "POST /v1/charges,           POST, /v1/Charges,          false",
        "POST /v1/charges,           POST, /v1/%63harges,        true",
        "post /v1/charges,           POST, /v1/charges,          true",
        "PUT /v1/accounts/{id},      PUT,  /v1/accounts/7,       true",
        "PUT /v1/accounts/{id},      PUT,  /v1/accounts/,        false",
        "PUT /v1/accounts/{id},      PUT,  /v1/accounts/7/x,     false",
        "PUT /v1/{a}/x/{b},          PUT,  /v1/1/x/2,            true",
        "* /v1/**,                   GET,  /v1/anything/at/all,  true",
        "* /v1/**,                   GET,  /v1,                  true",
        "* /v1/**,                   GET,  /v1/,                 true",
        "* /v1/**,                   GET,  /v10,                 false",
        "* /**,                      DELETE, /,                  true",
        "* /**,                      DELETE, /x,                 true",
    })
    void a_pattern_matches_what_it_says(String pattern, String method, String path, boolean matches) {
        assertEquals(matches, RoutePattern.parse(pattern).matches(method, path));
    }

    @Test
    void an_operation_is_the_route_or_the_path_where_the_route_is_open() {
        assertEquals(
                "PUT /v1/accounts/{id}",
                RoutePattern.parse("PUT /v1/accounts/{id}").operation("PUT", "/v1/accounts/7"));
        assertEquals("POST /v1/charges", RoutePattern.parse("* /v1/**").operation("POST", "/v1/charges"));
        assertEquals("POST /v1/charges", RoutePattern.parse("* /v1/**").operation("POST", "/v1/%63harges"));
        assertEquals("POST /v1/charges", RoutePattern.parse("* /v1/charges").operation("POST", "/v1/charges"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "POST",
                "/v1",
                "POST v1",
                "POST /a b",
                "P-T /a",
                "POST /a/**/b",
                "POST /a*",
                "POST /{",
                "POST /{}",
                "POST /a/../b",
                "POST /a?b=1",
                "POST /%61",
                "POST /caf\u00e9"
            })
    void what_is_no_pattern_is_refused_with_a_sentence(String text) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> RoutePattern.parse(text));
        assertTrue(
                String.valueOf(refused.getMessage()).startsWith("'" + text + "' is not a route: "),
                refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a/../b",
                "/a/./b",
                "/..",
                "/a/%2e%2e/b",
                "/a/.%2E/b",
                "/a//b",
                "//a",
                "/a%2fb",
                "/a%2Fb",
                "/a%5cb",
                "/a\\b",
                "/a%00b",
                "/a%",
                "/a%2",
                "/a%zz",
                "/a%25b",
                "/a;/../b",
                "/a%3Ab",
                "/a%40b",
                "/a%7Cb"
            })
    void a_path_that_two_servers_could_read_in_two_ways_is_ambiguous(String path) {
        assertTrue(PathText.isAmbiguous(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a", "/a/", "/a.b", "/a..b/c", "/...", "/a%20b", "/a%C3%A9", "/~a_b-c", "/a%61"})
    void an_ordinary_path_is_not(String path) {
        assertFalse(PathText.isAmbiguous(path));
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/charges:capture,         /v1/charges:capture",
        "/v1/charges%3Acapture,       /v1/charges:capture",
        "/v1/x/../charges,            /v1/charges",
        "/v1/x/%2e%2E/charges/,       /v1/charges/",
        "/v1//charges;a=b,            /v1/charges",
        "/v1%2fcharges,               /v1/charges",
        "/v1%5Ccharges/,              /v1/charges/",
        "/../..,                      /",
        "/,                           /",
    })
    void the_most_obliging_server_reads_a_path_so(String path, String expected) {
        assertEquals(expected, PathText.decoded(path));
    }
}
