package dev.semel.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.core.key.Fingerprint;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestFingerprintTest {
    private static final RequestFingerprint FINGERPRINT = RequestFingerprint.DEFAULT;

    @Test
    void algorithm_one_is_written_down_here_to_the_byte_because_stored_keys_rely_on_it() throws Exception {
        HttpRequest request = request(
                "POST",
                "/v1/charges",
                "b=2&a=1&b=1",
                "Application/JSON; charset=UTF-8; Profile=\"x y\"",
                "{\"b\":1.0, \"a\":\"\u00e9\"}");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        parts(out, "POST", "/v1/charges");
        out.writeInt(3);
        parts(out, "a=1", "b=2", "b=1");
        out.writeInt(1);
        out.writeInt(3);
        parts(out, "application/json", "profile", "x y");
        out.writeInt(1);
        parts(out, "{\"a\":\"\u00e9\",\"b\":1}");
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray());
        assertEquals(Fingerprint.of(Fingerprint.Algorithm.REQUEST, digest), FINGERPRINT.of(request));
        assertEquals(
                "01da530f37e2862734f1",
                FINGERPRINT
                        .of(request("POST", "/v1/charges", null, null, ""))
                        .toString()
                        .substring(0, 20));
    }

    private static void parts(DataOutputStream out, String... parts) throws IOException {
        for (String part : parts) {
            byte[] bytes = part.getBytes(UTF_8);
            out.writeInt(bytes.length);
            out.write(bytes);
        }
    }

    @Test
    void no_two_of_these_requests_have_the_same_fingerprint() {
        List<HttpRequest> requests = List.of(
                request("POST", "/a", null, null, ""),
                request("post", "/a", null, null, ""),
                request("PUT", "/a", null, null, ""),
                request("POST", "/A", null, null, ""),
                request("POST", "/a/", null, null, ""),
                request("POST", "/%61", null, null, ""),
                request("POST/", "a", null, null, ""),
                request("POST", "", null, "/a", ""),
                request("POST", "/a", "", null, ""),
                request("POST", "/a", "a", null, ""),
                request("POST", "/a", "a=", null, ""),
                request("POST", "/a", "a=1", null, ""),
                request("POST", "/a", "a=1&", null, ""),
                request("POST", "/a", "a=1&a=1", null, ""),
                request("POST", "/a", "a=1&a=2", null, ""),
                request("POST", "/a", "a=2&a=1", null, ""),
                request("POST", "/a", "a=1&b", null, ""),
                request("POST", "/a", "a&1=b", null, ""),
                request("POST", "/a", "a%3D1", null, ""),
                request("POST", "/a?a=1", null, null, ""),
                request("POST", "/a", null, "text/plain", ""),
                request("POST", "/a", null, "text/plain;a=b", ""),
                request("POST", "/a", null, "text/plain;a=B", ""),
                request("POST", "/a", null, "text/plain;a=b;c=d", ""),
                request("POST", "/a", null, "text/plain;a=\"b;c=d\"", ""),
                request("POST", "/a", null, "text/plain;charset=utf-8", ""),
                request("POST", "/a", null, "text", ""),
                request("POST", "/a", null, "text,plain", ""),
                twoContentTypes("text", "plain"),
                twoContentTypes("plain", "text"),
                request("POST", "/a", null, "application/json", ""),
                request("POST", "/a", null, "application/json", "{}"),
                request("POST", "/a", null, "application/json", "[]"),
                request("POST", "/a", null, "application/json", "[1]"),
                request("POST", "/a", null, "application/json", "{"),
                request("POST", "/a", null, "application/json", " {"),
                request("POST", "/a", null, "application/json;charset=latin1", "{}"),
                request("POST", "/a", null, "application/json;v=2", "{}"),
                request("POST", "/a", null, "application/x+json", "{}"),
                request("POST", "/a", null, "text/plain", "{}"),
                request("POST", "/a", null, null, "{}"),
                request("POST", "/a", null, null, "{} "),
                request("POST", "/a", null, null, "\0"),
                request("POST", "/a", null, null, "\0\0"));
        Map<Fingerprint, HttpRequest> seen = new HashMap<>();
        for (HttpRequest request : requests)
            assertNull(seen.put(FINGERPRINT.of(request), request), () -> "collides: " + request);
    }

    private static HttpRequest twoContentTypes(String one, String other) {
        Headers headers = Headers.NONE.with("Content-Type", one).with("Content-Type", other);
        return new HttpRequest("POST", "/a", null, headers, new byte[0]);
    }

    @Test
    void text_can_move_from_no_part_to_the_next() {
        String text = "aabb&=;/\0\0\0\1";
        Map<Fingerprint, List<Integer>> seen = new HashMap<>();
        for (int i = 0; i <= text.length(); i++)
            for (int j = i; j <= text.length(); j++)
                for (int k = j; k <= text.length(); k++) {
                    HttpRequest request = request(
                            text.substring(0, i), text.substring(i, j), text.substring(j, k), null, text.substring(k));
                    List<Integer> cuts = List.of(i, j, k);
                    assertNull(seen.put(FINGERPRINT.of(request), cuts), () -> "collides: " + cuts);
                }
    }

    @Test
    void other_headers_do_not_count() {
        HttpRequest plain = request("POST", "/a", null, "text/plain", "x");
        HttpRequest more = new HttpRequest(
                "POST",
                "/a",
                null,
                Headers.NONE
                        .with("Authorization", "Bearer 2")
                        .with("content-type", "text/plain")
                        .with("Date", "now"),
                "x".getBytes(UTF_8));
        assertEquals(FINGERPRINT.of(plain), FINGERPRINT.of(more));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
        a=1&b=2         | b=2&a=1
        b&a=1&c=        | c=&b&a=1
        x=1&a=1&x=2     | a=1&x=1&x=2
        a=1&a-b=2       | a-b=2&a=1
        """)
    void the_order_of_query_parameters_does_not_matter(String one, String other) {
        assertEquals(
                FINGERPRINT.of(request("POST", "/a", one, null, "x")),
                FINGERPRINT.of(request("POST", "/a", other, null, "x")));
    }

    @Test
    void the_order_of_query_parameters_of_one_name_matters() {
        assertNotEquals(
                FINGERPRINT.of(request("POST", "/a", "x=1&a=1&x=2", null, "x")),
                FINGERPRINT.of(request("POST", "/a", "x=2&a=1&x=1", null, "x")));
    }

    @Nested
    class Types {
        @ParameterizedTest
        @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
            application/json              | Application/JSON
            application/json              | application/json;charset=utf-8
            application/json              | application/json; charset="UTF-8"
            application/json              | application/json ;; Charset=utf-8 ;
            application/vnd.x+json        | application/vnd.X+JSON; charset=utf-8
            text/plain;charset=utf-8      | TEXT/plain; Charset="utf-8"
            text/plain;a=1;b=2            | text/plain; b=2; a=1
            text/plain;a="x\\y"           | text/plain;a=xy
            multipart/form-data;boundary=aB | multipart/form-data; Boundary="aB"
            """)
        void spelling_does_not_matter(String one, String other) {
            assertEquals(
                    FINGERPRINT.of(request("POST", "/a", null, one, "{}")),
                    FINGERPRINT.of(request("POST", "/a", null, other, "{}")));
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
            application/json              | application/json;charset=iso-8859-1
            text/plain                    | text/plain;charset=utf-8
            multipart/form-data;boundary=a| multipart/form-data;boundary=A
            text/plain;a=1                | text/plain;a=1;a=1
            text/plain;a=                 | text/plain
            text /plain                   | text/plain
            """)
        void what_it_says_matters(String one, String other) {
            assertNotEquals(
                    FINGERPRINT.of(request("POST", "/a", null, one, "{}")),
                    FINGERPRINT.of(request("POST", "/a", null, other, "{}")));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    " ",
                    "/",
                    "a/",
                    "/b",
                    "a",
                    "a/b/c",
                    "a/b c",
                    "a/b;c",
                    "a/b;=d",
                    "a/b;c=",
                    "a/b;c=\"",
                    "a/b;c=\"\\",
                    "a/b;c=d e",
                    "a/b;c=\"d\"e",
                    "a/b,c/d",
                    "a/b;c=d;c=d",
                    "a/b;c=\"\0\"",
                    "a/b;c=\u00e9"
                })
        void what_is_malformed_is_not_understood(String header) {
            assertNull(ContentType.parse(header));
        }

        @Test
        void a_hostile_type_is_refused_without_effort() {
            assertNull(ContentType.parse("a/b;c=\"" + "\\\"".repeat(100_000)));
            assertNull(ContentType.parse("a/b" + ";".repeat(100_000)));
            assertNull(ContentType.parse("a/b;c=\"" + "x".repeat(1_000)));
        }
    }

    @Nested
    class Bodies {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "application/json",
                    "APPLICATION/JSON; charset=utf-8",
                    "application/vnd.api+json",
                    "application/problem+json"
                })
        void json_counts_by_what_it_says(String type) {
            assertEquals(
                    FINGERPRINT.of(request("POST", "/a", null, type, "{\"a\":1,\"b\":2}")),
                    FINGERPRINT.of(request("POST", "/a", null, type, " {\"b\":2.0, \"a\":1}\n")));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "text/plain",
                    "application/jsonx",
                    "application/json; charset=utf-16",
                    "application/json; charset",
                    "application/json-seq",
                    "application/json, application/json",
                    "x"
                })
        void everything_else_counts_byte_by_byte(String type) {
            assertNotEquals(
                    FINGERPRINT.of(request("POST", "/a", null, type, "{\"a\":1,\"b\":2}")),
                    FINGERPRINT.of(request("POST", "/a", null, type, "{\"b\":2,\"a\":1}")));
            assertEquals(
                    FINGERPRINT.of(request("POST", "/a", null, type, "{\"a\":1,\"b\":2}")),
                    FINGERPRINT.of(request("POST", "/a", null, type, "{\"a\":1,\"b\":2}")));
        }

        @Test
        void amounts_that_only_a_double_confuses_are_told_apart() {
            assertNotEquals(json("{\"amount\":9007199254740993}"), json("{\"amount\":9007199254740992}"));
            assertNotEquals(json("{\"amount\":0.1}"), json("{\"amount\":0.1000000000000000055}"));
            assertNotEquals(json("{\"amount\":1e999999999}"), json("{\"amount\":2e999999999}"));
        }

        @Test
        void bytes_that_happen_to_be_a_canonical_form_are_not_mistaken_for_one() {
            assertNotEquals(
                    FINGERPRINT.of(request("POST", "/a", null, "text/plain", "{}")),
                    FINGERPRINT.of(request("POST", "/a", null, "application/json", "{}")));
        }

        private static Fingerprint json(String body) {
            return FINGERPRINT.of(request("POST", "/a", null, "application/json", body));
        }
    }

    @Nested
    class Exclusions {
        private final RequestFingerprint excluding = RequestFingerprint.excluding(List.of("/metadata/sentAt", "/n"));

        @Test
        void what_is_excluded_does_not_count_and_the_rest_does() {
            Fingerprint first = json("{\"a\":1,\"metadata\":{\"sentAt\":1,\"x\":1}}");
            assertEquals(first, json("{\"a\":1,\"n\":7,\"metadata\":{\"x\":1,\"sentAt\":2}}"));
            assertNotEquals(first, json("{\"a\":2,\"metadata\":{\"sentAt\":1,\"x\":1}}"));
            assertNotEquals(first, json("{\"a\":1,\"metadata\":{\"sentAt\":1,\"x\":2}}"));
        }

        @Test
        void a_body_without_the_excluded_members_keeps_its_fingerprint_when_exclusions_are_added() {
            HttpRequest request = request("POST", "/a", null, "application/json", "{\"a\":1}");
            assertEquals(FINGERPRINT.of(request), excluding.of(request));
        }

        @Test
        void where_json_has_no_canonical_form_all_bytes_count() {
            assertNotEquals(json("{\"n\":1,\"a\":1,\"a\":1}"), json("{\"n\":2,\"a\":1,\"a\":1}"));
            assertEquals(json("{\"n\":1,\"a\":1,\"a\":1}"), json("{\"n\":1,\"a\":1,\"a\":1}"));
        }

        @Test
        void where_there_is_no_json_all_bytes_count() {
            assertNotEquals(
                    excluding.of(request("POST", "/a", null, "text/plain", "{\"n\":1}")),
                    excluding.of(request("POST", "/a", null, "text/plain", "{\"n\":2}")));
        }

        @Test
        void pointers_are_checked_and_can_be_asked_for() {
            assertThrows(IllegalArgumentException.class, () -> RequestFingerprint.excluding(List.of("n")));
            assertEquals(List.of("/metadata/sentAt", "/n"), excluding.excluded());
        }

        private Fingerprint json(String body) {
            return excluding.of(request("POST", "/a", null, "application/json", body));
        }
    }

    @Test
    void any_bytes_have_a_fingerprint() {
        for (int b = 0; b < 256; b++) {
            byte[] body = {(byte) b};
            String query = new String(body, ISO_8859_1);
            Headers headers = Headers.NONE.with("Content-Type", "application/json");
            assertEquals(
                    1,
                    FINGERPRINT
                            .of(new HttpRequest("POST", "/a", query, headers, body))
                            .algorithm());
        }
    }

    private static HttpRequest request(String method, String path, String query, String type, String body) {
        Headers headers = type == null ? Headers.NONE : Headers.NONE.with("Content-Type", type);
        return new HttpRequest(method, path, query, headers, body.getBytes(UTF_8));
    }
}
