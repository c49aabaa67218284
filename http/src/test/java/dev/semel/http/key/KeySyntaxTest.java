package dev.semel.http.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeySyntaxTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "8e03978e-40d5-43e8-bc93-6894a57f9324",
                "8E03978E-40D5-43E8-BC93-6894A57F9324",
                "8e03978E-40d5-43e8-Bc93-6894a57f9324",
                "c232ab00-9414-11ec-b3c8-9f6bdeced846",
                "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
                "00000000-0000-0000-0000-000000000000",
                "ffffffff-ffff-ffff-ffff-ffffffffffff"
            })
    void every_uuid_in_text_form_is_one(String key) {
        assertNull(KeySyntax.uuid().check(key));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "8e03978e40d543e8bc936894a57f9324",
                "{8e03978e-40d5-43e8-bc93-6894a57f9324}",
                "urn:uuid:8e03978e-40d5-43e8-bc93-6894a57f9324",
                "1e03978e-40d5-43e8-bc93-6894a57f932",
                "8e03978e-40d5-43e8-bc93-6894a57f93245",
                "8e03978e-40d5-43e8-bc936-894a57f9324",
                "8e03978g-40d5-43e8-bc93-6894a57f9324",
                "8e03978e-40d5-43e8-bc93-6894a57f932\u0664",
                "8e03978e-40d5-43e8-bc93-6894a57f932\u0141",
                "8e03978e-40d5-43e8-bc93-6894a57f932 ",
                "8e03978e_40d5_43e8_bc93_6894a57f9324"
            })
    void nothing_else_is_a_uuid(String key) {
        String flaw = KeySyntax.uuid().check(key);
        assertNotNull(flaw);
        assertTrue(flaw.contains("UUID"), flaw);
        assertFalse(!key.isEmpty() && flaw.contains(key), flaw);
    }

    @Test
    void random_uuids_are_uuids_in_either_case() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            String uuid = new UUID(random.nextLong(), random.nextLong()).toString();
            assertNull(KeySyntax.uuid().check(uuid), () -> "seed " + seed);
            assertNull(KeySyntax.uuid().check(uuid.toUpperCase(Locale.ROOT)), () -> "seed " + seed);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ord_[0-9a-z]+ | 8 | 12 | ord_1a2b     |
        ord_[0-9a-z]+ | 8 | 12 | ord_1a2      | at least 8
        ord_[0-9a-z]+ | 8 | 12 | ord_1a2b3c4d5| at most 12
        ord_[0-9a-z]+ | 8 | 12 | xord_1a2b    | matches ord_[0-9a-z]+
        ord_[0-9a-z]+ | 8 | 12 | ord_1a2bX    | matches ord_[0-9a-z]+
                      | 4 | 4  | abcd         |
                      | 4 | 4  | abc          | at least 4
        (?i)a{4}      | 1 | 255| aAaA         |
        (..)\\1       | 1 | 255| abab         |
        x(?<=x)y      | 1 | 255| xy           |
        """)
    void a_key_has_the_form_that_is_asked_for(String regex, int min, int max, String key, String wanted) {
        String flaw = KeySyntax.form(regex, min, max).check(key);
        if (wanted == null) assertNull(flaw);
        else assertTrue(flaw != null && flaw.contains(wanted), () -> key + ": " + flaw);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(a+)+b",
                "(a|aa)+b",
                "(a*)*b",
                "(a|a)*b",
                "(.*a){25}b",
                "(a?){200}a{200}b",
                "([a-z]+)*\\1b",
                "(?=(a+)+b)a+"
            })
    void no_expression_holds_a_thread_for_long(String regex) {
        KeySyntax syntax = KeySyntax.form(regex, 1, 255);
        String flaw = assertTimeoutPreemptively(Duration.ofMinutes(1), () -> syntax.check("a".repeat(254) + "c"));
        assertNotNull(flaw);
    }

    @Test
    void what_takes_too_long_to_tell_is_a_flaw_and_said_to_be_one() {
        String flaw = KeySyntax.form("(a|aa)+\\1b", 1, 255).check("a".repeat(254) + "c");
        assertTrue(flaw != null && flaw.contains("takes too long"), flaw);
    }

    @Test
    void honest_expressions_are_far_from_the_limit() {
        KeySyntax syntax = KeySyntax.form("[a-z]+(-[a-z]+)*-?([0-9a-f]{2,}|[a-z._~]+)*", 1, 255);
        assertNull(syntax.check("abc-".repeat(63) + "abc"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        (   | 1 | 255
        [a  | 1 | 255
        *   | 1 | 255
        a   | 0 | 255
        a   | 5 | 4
        a   | 1 | 256
        """)
    void what_makes_no_sense_is_refused(String regex, int min, int max) {
        assertThrows(IllegalArgumentException.class, () -> KeySyntax.form(regex, min, max));
    }

    @Test
    void a_syntax_can_be_published() {
        assertEquals("a UUID", KeySyntax.uuid().describe());
        assertEquals("16 to 64 characters", KeySyntax.form(null, 16, 64).describe());
        assertEquals(
                "1 to 64 characters that match [a-z]+",
                KeySyntax.form("[a-z]+", 1, 64).describe());
    }
}
