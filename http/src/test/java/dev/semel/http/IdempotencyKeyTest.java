package dev.semel.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {

    @Test
    void a_request_without_the_header_has_no_key() {
        assertEquals(new KeyReading.Absent(), IdempotencyKey.read(Headers.NONE, "Idempotency-Key"));
        assertEquals(
                new KeyReading.Absent(),
                IdempotencyKey.read(Headers.NONE.with("Idempotency-Keys", "a"), "Idempotency-Key"));
    }

    @Test
    void the_name_of_the_header_is_compared_without_regard_to_case() {
        Headers headers = Headers.NONE.with("iDEMPOTENCY-kEY", "abc");
        assertEquals(new KeyReading.Present("abc"), IdempotencyKey.read(headers, "Idempotency-Key"));
    }

    @Test
    void another_header_can_be_named() {
        Headers headers = Headers.NONE.with("PayPal-Request-Id", "abc");
        assertEquals(new KeyReading.Present("abc"), IdempotencyKey.read(headers, "PayPal-Request-Id"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
        abc                                  | abc
        "abc"                                | abc
        "a\\"b"                              | a"b
        "a\\\\b"                             | a\\b
        a\\b                                 | a\\b
        "\\\\"                               | \\
        8e03978e-40d5-43e8-bc93-6894a57f9324 | 8e03978e-40d5-43e8-bc93-6894a57f9324
        "a,b"                                | a,b
        a,b                                  | a,b
        a;b=1                                | a;b=1
        "a;b=1"                              | a;b=1
        !#$%&'()*+,-./:;<=>?@[]^_`{}~        | !#$%&'()*+,-./:;<=>?@[]^_`{}~
        """)
    void both_spellings_name_the_same_key(String sent, String key) {
        assertEquals(new KeyReading.Present(key), read(sent));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ";a",
                ";a=1",
                ";a=-1.5",
                ";a=\"x\\\"y\\\\ z\"",
                "; a=tok/en:1;  b=?1;c=:aGk=:;*d=*",
                ";a=999999999999999"
            })
    void parameters_after_a_string_are_allowed_and_mean_nothing(String parameters) {
        assertEquals(new KeyReading.Present("abc"), read("\"abc\"" + parameters));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ";",
                ";A=1",
                ";a=",
                ";a= 1",
                " ;a=1",
                ";a=1;",
                ";a=\"x",
                ";a=1.2345",
                ";a=?2",
                ";a=1e5",
                "x",
                ",",
                ", \"b\"",
                ";a=1, \"b\""
            })
    void what_is_no_parameter_must_not_follow_a_string(String rest) {
        assertMalformed("\"abc\"" + rest, "after the closing double quote");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"a\", \"b\"", "\"a\",\"b\""})
    void a_list_of_strings_is_not_a_key(String sent) {
        assertMalformed(sent, "one key is taken, not a list");
    }

    @Test
    void bare_keys_joined_by_an_intermediary_are_not_a_key() {
        assertMalformed("a, b", "a space");
    }

    @Test
    void a_header_sent_twice_is_refused_even_when_both_say_the_same() {
        Headers headers = Headers.NONE.with("Idempotency-Key", "a").with("idempotency-key", "a");
        assertMalformed(IdempotencyKey.read(headers, "Idempotency-Key"), "was sent 2 times");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t \t"})
    void an_empty_header_is_refused(String sent) {
        assertMalformed(sent, "is empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "\"\";a=1"})
    void an_empty_string_is_refused(String sent) {
        assertMalformed(sent, "an empty string");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"", "\"abc", "\"abc\\\"", "\"abc\\\\\\\""})
    void a_string_that_never_ends_is_refused(String sent) {
        assertMalformed(sent, "no closing one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"a\\bc\"", "\"\\n\"", "\"a\\", "\"\\"})
    void an_escape_that_rfc_8941_does_not_know_is_refused(String sent) {
        assertMalformed(sent, "backslash");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc\"", "a\"b", "\\\"abc\\\""})
    void a_bare_key_must_not_hold_a_quote(String sent) {
        assertMalformed(sent, "double quote inside");
    }

    @Test
    void only_visible_ascii_makes_a_key() {
        for (char c = 0; c < 0x180; c++) {
            if (c > 0x20 && c < 0x7f && c != '"') {
                assertEquals(new KeyReading.Present("a" + c + "b"), read("a" + c + "b"));
            } else {
                assertMalformed("a" + c + "b", "");
            }
            if (c > 0x20 && c < 0x7f && c != '"' && c != '\\') {
                assertEquals(new KeyReading.Present("a" + c + "b"), read("\"a" + c + "b\""));
            } else {
                assertMalformed("\"a" + c + "b\"", "");
            }
        }
        assertMalformed("a\ud83d\ude00b", "outside ASCII");
        assertMalformed("\"a\ud83d\ude00b\"", "outside ASCII");
    }

    @Test
    void a_key_has_at_most_255_characters_however_it_is_spelled() {
        assertEquals(new KeyReading.Present("k".repeat(255)), read("k".repeat(255)));
        assertEquals(new KeyReading.Present("k".repeat(255)), read("\"" + "k".repeat(255) + "\""));
        assertEquals(new KeyReading.Present("\"".repeat(255)), read("\"" + "\\\"".repeat(255) + "\""));
        assertMalformed("k".repeat(256), "too long");
        assertMalformed("\"" + "k".repeat(256) + "\"", "too long");
        assertMalformed("\"" + "\\\\".repeat(256) + "\"", "too long");
        assertMalformed("k".repeat(10_000_000), "too long");
        assertMalformed("\"k\"" + ";a=1".repeat(1_000_000), "too long");
    }

    @Test
    void space_around_the_value_does_not_belong_to_the_key() {
        assertEquals(new KeyReading.Present("abc"), read(" \tabc\t "));
        assertEquals(new KeyReading.Present("abc"), read(" \"abc\" "));
    }

    @Test
    void the_sentence_says_what_to_send_and_never_repeats_what_was_sent() {
        KeyReading.Malformed malformed = assertInstanceOf(KeyReading.Malformed.class, read("se cret"));
        assertEquals(
                "The Idempotency-Key header holds a space. A key is 1 to 255 visible ASCII characters, bare or as a"
                        + " quoted string, for example a random UUID.",
                malformed.why());
    }

    @Test
    void every_key_that_is_quoted_as_rfc_8941_says_is_read_back() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            String key = random.ints(1 + random.nextInt(255), 0x21, 0x7f)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            String quoted = "\"" + key.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
            assertEquals(new KeyReading.Present(key), read(quoted), "seed " + seed);
            if (key.indexOf('"') < 0) assertEquals(new KeyReading.Present(key), read(key), "seed " + seed);
        }
    }

    @Test
    void any_text_gets_an_answer_and_whatever_is_a_key_is_within_its_bounds() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String pieces = "\"\\\\;a=1,?: \té\0k-";
        List<KeyReading.Present> keys = new ArrayList<>();
        for (int round = 0; round < 50_000; round++) {
            StringBuilder sent = new StringBuilder();
            for (int i = random.nextInt(12); i > 0; i--) sent.append(pieces.charAt(random.nextInt(pieces.length())));
            if (read(sent.toString()) instanceof KeyReading.Present present) keys.add(present);
        }
        assertFalse(keys.isEmpty());
        for (KeyReading.Present present : keys)
            assertTrue(present.key().chars().allMatch(c -> c > 0x20 && c < 0x7f), "seed " + seed + " " + present);
    }

    private static KeyReading read(String value) {
        return IdempotencyKey.read(Headers.NONE.with("Idempotency-Key", value), "Idempotency-Key");
    }

    private static void assertMalformed(String sent, String part) {
        assertMalformed(read(sent), part);
    }

    private static void assertMalformed(KeyReading reading, String part) {
        KeyReading.Malformed malformed = assertInstanceOf(KeyReading.Malformed.class, reading);
        assertTrue(malformed.why().contains(part), malformed.why());
    }
}
