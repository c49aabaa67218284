package dev.semel.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.http.KeyReading.Absent;
import dev.semel.http.KeyReading.Malformed;
import dev.semel.http.KeyReading.Present;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeySourceTest {

    @Test
    void a_key_is_in_the_usual_header_unless_said_otherwise() {
        assertEquals(new Present("a"), KeySource.DEFAULT.ofHead(Headers.NONE.with("Idempotency-Key", "\"a\"")));
        assertEquals(new Absent(), KeySource.DEFAULT.ofHead(Headers.NONE));
        assertFalse(KeySource.DEFAULT.needsBody());
        assertEquals(KeySource.DEFAULT, KeySource.parse("header:Idempotency-Key"));
    }

    @Test
    void another_header_is_read_in_the_same_way() {
        KeySource source = KeySource.parse("header:X-Request-Id");
        Headers sent = Headers.NONE.with("x-request-id", " \"a\\\"b\";v=1 ").with("Idempotency-Key", "other");
        assertEquals(new Present("a\"b"), source.ofHead(sent));
        assertEquals(new Present("a\"b"), source.of(request(sent, "")));
        assertInstanceOf(Malformed.class, source.ofHead(sent.with("X-Request-Id", "c")));
        assertInstanceOf(Malformed.class, source.ofHead(Headers.NONE.with("X-Request-Id", "")));
    }

    @Test
    void a_place_in_the_body_is_a_template_of_one_placeholder() {
        KeySource source = KeySource.parse("body:/invoice");
        assertEquals(KeySource.parse("{body:/invoice}"), source);
        assertTrue(source.needsBody());
        assertEquals(new Present("17"), source.of(request(Headers.NONE, "{\"invoice\":17}")));
        assertThrows(IllegalStateException.class, () -> source.ofHead(Headers.NONE));
    }

    @Test
    void a_template_of_headers_needs_no_body() {
        KeySource source = KeySource.parse("{header:A}:{header:B}");
        Headers sent = Headers.NONE.with("A", "a").with("B", "b:c");
        assertFalse(source.needsBody());
        assertEquals(new Present("a:b%3Ac"), source.ofHead(sent));
        assertEquals(new Present("a:b%3Ac"), source.of(request(sent, "{")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "{\"a\":null}", "{\"b\":{\"a\":1}}", "[]", "7"})
    void a_request_with_nothing_to_make_a_key_of_has_none(String body) {
        assertEquals(new Absent(), KeySource.parse("{header:A}:{body:/a}").of(request(Headers.NONE, body)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":{}}", "{\"a\":1,\"a\":1}", "{\"a\":\"\"}", "{\"a\":1", "a=1", "{'a':1}", "{} {}"})
    void a_request_that_may_have_a_key_is_not_taken_for_one_without(String body) {
        assertInstanceOf(Malformed.class, KeySource.parse("body:/a").of(request(Headers.NONE, body)));
    }

    @Test
    void a_key_of_which_a_part_is_missing_is_malformed_and_the_part_is_named() {
        KeySource source = KeySource.parse("{header:X-Merchant}:{body:/invoice}");
        assertEquals(
                new Malformed("The key of this operation is {header:X-Merchant}:{body:/invoice}. "
                        + "The JSON body has nothing at /invoice."),
                source.of(request(Headers.NONE.with("X-Merchant", "secret"), "{}")));
    }

    @Test
    void a_natural_key_has_at_most_255_bytes_as_encoded() {
        KeySource source = KeySource.parse("x{body:/a}");
        assertEquals(
                new Present("x" + "a".repeat(254)),
                source.of(request(Headers.NONE, "{\"a\":\"" + "a".repeat(254) + "\"}")));
        assertInstanceOf(Malformed.class, source.of(request(Headers.NONE, "{\"a\":\"" + "a".repeat(255) + "\"}")));
        assertInstanceOf(Malformed.class, source.of(request(Headers.NONE, "{\"a\":\"" + " ".repeat(100) + "\"}")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        header:X-Request-Id                 | header:X-Request-Id
        body:/a/b                           | {body:/a/b}
        {header:X-Merchant}:{body:/invoice} | {header:X-Merchant}:{body:/invoice}
        """)
    void a_source_can_be_written_down_again(String configured, String written) {
        assertEquals(written, KeySource.parse(configured).toString());
        assertEquals(KeySource.parse(configured), KeySource.parse(written));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Idempotency-Key",
                "header:",
                "header:a b",
                "body:",
                "body:a",
                "body:/~3",
                "body:/a}",
                "key",
                "{key}",
                "{header:A}{header:B}",
                "query:a",
                "HEADER:A"
            })
    void what_is_no_source_is_refused(String configured) {
        var refused = assertThrows(IllegalArgumentException.class, () -> KeySource.parse(configured));
        assertFalse(refused.getMessage().isBlank());
    }

    @Test
    void whatever_is_sent_there_is_an_answer_and_every_key_is_one() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        KeySource source = KeySource.parse("{header:A}:{body:/a/0}");
        String[] pieces = {"{", "}", "[", "]", "\"a\"", ":", ",", "1", "null", "\"\\ud83d\"", "\"%:\u00e9\"", " ", "1e9"
        };
        int present = 0;
        for (int i = 0; i < 30_000; i++) {
            StringBuilder body = new StringBuilder(random.nextBoolean() ? "{\"a\":[" : "");
            for (int n = random.nextInt(3); n > 0; n--) body.append(pieces[random.nextInt(pieces.length)]);
            if (random.nextBoolean()) body.append("]}");
            Headers headers = random.nextInt(4) == 0
                    ? Headers.NONE
                    : Headers.NONE.with("A", Character.toString(random.nextInt(0x300)));
            if (source.of(request(headers, body.toString())) instanceof Present(String key)) {
                present++;
                assertEquals(
                        new Present(key),
                        IdempotencyKey.read(Headers.NONE.with("K", quoted(key)), "K"),
                        () -> "seed " + seed + " " + key);
            }
        }
        assertTrue(present > 300, "seed " + seed + ": present " + present);
    }

    private static String quoted(String key) {
        return "\"" + key.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    private static HttpRequest request(Headers headers, String body) {
        return new HttpRequest("POST", "/", null, headers, body.getBytes(UTF_8));
    }
}
