package dev.semel.gateway.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is well written and cannot be meant: found before a gateway starts, with its line and what to write instead. */
class MistakesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST /a            | POST /a",
                "POST /a            | post /a",
                "* /**              | POST /v1/charges",
                "POST /v1/**        | POST /v1/charges",
                "POST /v1/**        | POST /v1",
                "POST /v1/**        | POST /v1/",
                "* /v1/**           | PUT /v1/{id}/items/**",
                "POST /v1/{any}     | POST /v1/charges",
                "POST /v1/{any}     | POST /v1/{id}",
                "POST /{a}/{b}      | POST /v1/{id}",
                "POST /{a}/**       | POST /v1/{id}/x",
            })
    void a_route_that_no_request_can_reach_is_refused(String earlier, String later) {
        String problem = only(routes("match: '" + earlier + "'", "match: '" + later + "'"));
        assertTrue(problem.startsWith("4:12 "), problem);
        assertTrue(problem.contains("line 3"), problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST /a            | PUT /a",
                "POST /a            | * /a",
                "POST /v1/charges   | POST /v1/**",
                "POST /v1/charges   | POST /v1/{id}",
                "POST /v1/charges   | POST /v1/charges/",
                "POST /v1/{id}      | POST /v1/",
                "POST /v1/{id}      | POST /v1/**",
                "POST /v1/{id}/**   | POST /v1/**",
                "POST /v1/**        | POST /v10",
                "POST /{a}/x        | POST /v1/{id}",
            })
    void a_route_that_some_request_can_reach_is_not(String earlier, String later) {
        assertEquals(List.of(), routes("match: '" + earlier + "'", "match: '" + later + "'"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST /.semel/v1/claims", "* /.semel/**", "GET /.well-known/idempotency"})
    void a_route_to_what_the_gateway_answers_itself_is_refused(String match) {
        says(only(routes("match: '" + match + "'")), "3:12 ", "answers");
    }

    @Test
    void an_unknown_method_is_refused_with_the_one_that_was_meant() {
        says(only(routes("match: PSOT /v1/charges")), "3:12 ", "'PSOT'", "Did you mean POST?");
        says(only(routes("match: FROBNICATE /v1/charges")), "FROBNICATE", "POST", "*");
        assertEquals(List.of(), routes("match: PROPPATCH /dav/**", "match: query /search"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "probe: { get: '/p/{key}' }",
                "guarantee: at-least-once",
                "key-from: header:X-Request-Id",
                "key-syntax: uuid",
                "max-key-age: 1d",
                "in-flight: reject",
                "lease: 5s",
                "retention: 1h",
                "tombstone: 1d",
                "statuses: ietf",
                "fingerprint: { exclude: [/a] }",
                "store-headers: [X-A]",
                "limits: { request: 1KiB }",
            })
    void what_has_no_effect_without_a_key_is_refused(String setting) {
        String name = setting.substring(0, setting.indexOf(':'));
        says(only(routes("{ match: POST /a, key: off, " + setting + " }")), "'" + name + "' has no effect", "key: off");
        says(only(routes("{ match: GET /a, " + setting + " }")), "'" + name + "' has no effect", "GET");
    }

    @Test
    void an_order_needs_no_key_but_a_method_that_writes() {
        String order = "order: { version: 'header:If-Match' }";
        assertEquals(List.of(), routes("{ match: PUT /a, key: off, " + order + " }"));
        assertEquals(List.of(), routes("{ match: PUT /a, key: off, limits: { request: 1KiB }, " + order + " }"));
        says(only(routes("{ match: GET /a, " + order + " }")), "'order' has no effect");
        says(only(routes("{ match: GET /a, key: required }")), "'key' has no effect");
        assertEquals(List.of(), routes("{ match: GET /a, key: off }"));
    }

    @Test
    void a_key_must_not_outlive_what_is_remembered_of_it() {
        says(
                only(routes("{ match: POST /a, retention: 1d, tombstone: 2d, max-key-age: 73h }")),
                "max-key-age",
                "3d",
                "runs again");
        assertEquals(List.of(), routes("{ match: POST /a, retention: 1d, tombstone: 2d, max-key-age: 72h }"));
        assertEquals(List.of(), routes("{ match: POST /a, max-key-age: 31d }"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "header:Authorization",
                "header:cookie",
                "header:Proxy-Authorization",
                "{header:authorization}:{body:/invoice}",
                "header:X-Api-Key",
            })
    void a_secret_is_no_key(String source) {
        List<String> problems =
                problems("tenant: { header: x-api-key }\nupstream: { url: http://127.0.0.1:9 }\nroutes:\n"
                        + "  - { match: POST /a, key-from: '" + source + "' }\n");
        says(only(problems), "4:33 ", "secret");
    }

    @Test
    void a_store_that_is_not_there_is_refused_with_its_line() {
        says(only(problems("store: rocksbd:./data\nupstream: { url: http://127.0.0.1:9 }")), "1:8 ", "rocksdb:");
        says(only(problems("upstream: { url: http://127.0.0.1:9 }\nstore: ./data")), "2:8 ", "rocksdb:./data");
        says(
                only(problems("store: etcd://h\nupstream: { url: http://127.0.0.1:9 }")),
                "1:8 ",
                "etcd",
                "rocksdb:DIR",
                "redis://HOST");
    }

    @Test
    void a_misspelt_setting_is_told_with_the_one_that_was_meant() {
        says(
                only(problems("upstraem: { url: http://127.0.0.1:9 }\nupstream: { url: http://127.0.0.1:9 }")),
                "Did you mean 'upstream'?");
        says(only(routes("{ match: POST /a, retension: 1h }")), "'retension'", "Did you mean 'retention'?");
        says(only(routes("{ match: POST /a, in_flight: reject }")), "Did you mean 'in-flight'?");
        says(only(routes("{ match: POST /a, keyFrom: 'body:/a' }")), "Did you mean 'key-from'?");
        says(only(routes("{ match: POST /a, colour: red }")), "known are");
    }

    @Test
    void a_status_that_no_server_sends_is_refused() {
        says(only(routes("{ match: POST /a, statuses: { store: [600] } }")), "3:43 ", "600");
        says(only(routes("{ match: POST /a, probe: { get: '/p/{key}', found: 799 } }")), "799");
        assertEquals(List.of(), routes("{ match: POST /a, statuses: { release: [418, 529], store: [520] } }"));
    }

    /** Of routes from line 3 on, each on a line of its own. */
    private static List<String> routes(String... routes) {
        return problems("upstream: { url: http://127.0.0.1:9 }\nroutes:\n  - " + String.join("\n  - ", routes) + "\n");
    }

    private static List<String> problems(String yaml) {
        return switch (ConfigReader.read(yaml, "semel.yaml", name -> null, null)) {
            case ConfigReader.Result.Valid it -> List.of();
            case ConfigReader.Result.Invalid(var problems) ->
                problems.stream()
                        .map(problem -> problem.line() + ":" + problem.column() + " " + problem.message())
                        .toList();
        };
    }

    private static String only(List<String> problems) {
        assertEquals(1, problems.size(), problems::toString);
        return problems.getFirst();
    }

    private static void says(String text, String... parts) {
        for (String part : parts) assertTrue(text.contains(part), () -> "no '" + part + "' in: " + text);
    }
}
