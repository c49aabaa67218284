package dev.semel.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.http.VersionReading.Absent;
import dev.semel.http.VersionReading.At;
import dev.semel.http.VersionReading.Malformed;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VersionSourceTest {
    private static final VersionSource IF_MATCH = VersionSource.parse("header:If-Match");
    private static final VersionSource BODY = VersionSource.parse("body:/version");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
        7                     | 7
        0                     | 0
        "7"                   | 7
        W/"7"                 | 7
        "0"                   | 0
        007                   | 7
        9223372036854775807   | 9223372036854775807
        """)
    void a_version_is_a_number_bare_or_as_an_entity_tag(String sent, long version) {
        assertEquals(new At(version), ofHeader(sent));
        assertEquals(new At(version), ofHeader("  " + sent + "\t"));
        String asString = "\"" + sent.replace("\"", "\\\"") + "\"";
        assertEquals(new At(version), ofBody("{\"version\":" + asString + "}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\"\"",
                "W/\"\"",
                "\"",
                "W/\"",
                "W/7",
                "w/\"7\"",
                "*",
                "-1",
                "+1",
                "1.0",
                "1e3",
                "0x7",
                "7 8",
                "\"7\", \"8\"",
                "\"7",
                "7\"",
                "\" 7\"",
                "abc",
                "\u0667",
                "9223372036854775808",
                "92233720368547758070",
                "18446744073709551623"
            })
    void anything_else_is_no_version(String sent) {
        Malformed malformed = assertInstanceOf(Malformed.class, ofHeader(sent));
        assertTrue(malformed.why().contains("whole number"), malformed::why);
    }

    @Test
    void a_version_may_be_missing_but_not_sent_twice() {
        assertEquals(new Absent(), ofHeaders(Headers.NONE));
        assertInstanceOf(
                Malformed.class, ofHeaders(Headers.NONE.with("If-Match", "7").with("if-match", "7")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
        {"version":7}                   | 7
        {"version":7.0}                 | 7
        {"version":1e3}                 | 1000
        {"version":-0}                  | 0
        {"version":9007199254740993}    | 9007199254740993
        {"version":9223372036854775807} | 9223372036854775807
        """)
    void a_number_in_the_body_keeps_all_its_digits(String body, long version) {
        assertEquals(new At(version), ofBody(body));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "{\"version\":null}", "[]"})
    void a_body_may_have_no_version(String body) {
        assertEquals(new Absent(), ofBody(body));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"version\":-1}",
                "{\"version\":1.5}",
                "{\"version\":9223372036854775808}",
                "{\"version\":1e21}",
                "{\"version\":true}",
                "{\"version\":{}}",
                "{\"version\":1,\"version\":2}",
                "{\"version\":1",
                "version=1"
            })
    void a_body_that_may_have_a_version_is_not_taken_for_one_without(String body) {
        assertInstanceOf(Malformed.class, ofBody(body));
    }

    @Test
    void a_source_is_shown_as_it_is_configured() {
        assertEquals("header:If-Match", IF_MATCH.toString());
        assertEquals("body:/version", BODY.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "If-Match", "header:", "header:a b", "body:", "body:version", "key", "{header:A}"})
    void what_is_no_source_is_refused(String configured) {
        assertThrows(IllegalArgumentException.class, () -> VersionSource.parse(configured));
    }

    @Test
    void numbers_are_read_as_a_big_integer_reads_them() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        BigInteger limit = BigInteger.TWO.pow(63);
        for (int i = 0; i < 100_000; i++) {
            BigInteger number = random.nextBoolean()
                    ? new BigInteger(random.nextInt(70), random)
                    : limit.add(BigInteger.valueOf(random.nextInt(40) - 20));
            VersionReading expected = number.compareTo(limit) < 0 ? new At(number.longValue()) : null;
            VersionReading read = ofHeader(number.toString());
            if (expected == null) assertInstanceOf(Malformed.class, read, () -> "seed " + seed + " " + number);
            else assertEquals(expected, read, () -> "seed " + seed + " " + number);
        }
    }

    private static VersionReading ofHeader(String value) {
        return ofHeaders(Headers.NONE.with("If-Match", value));
    }

    private static VersionReading ofHeaders(Headers headers) {
        return IF_MATCH.of(new HttpRequest("PUT", "/", null, headers, new byte[0]));
    }

    private static VersionReading ofBody(String body) {
        return BODY.of(new HttpRequest("PUT", "/", null, Headers.NONE, body.getBytes(UTF_8)));
    }
}
