package dev.semel.http.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalJsonTest {
    private static final CanonicalJson JSON = CanonicalJson.whole();

    @Nested
    class Form {
        @Test
        void the_example_of_rfc_8785_comes_out_to_the_byte() {
            String input = """
                {
                  "numbers": [333333333.3333333, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                  "literals": [null, true, false]
                }\
                """;
            String expected = """
                7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72
                75 65 2c 66 61 6c 73 65 5d 2c 22 6e 75 6d 62 65 72 73 22 3a
                5b 33 33 33 33 33 33 33 33 33 2e 33 33 33 33 33 33 33 2c 31
                65 2b 33 30 2c 34 2e 35 2c 30 2e 30 30 32 2c 31 65 2d 32 37
                5d 2c 22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24 5c 75 30 30
                30 66 5c 6e 41 27 42 5c 22 5c 5c 5c 5c 5c 22 2f 22 7d\
                """;
            assertArrayEquals(HexFormat.of().parseHex(expected.replaceAll("\\s", "")), JSON.of(input.getBytes(UTF_8)));
        }

        @Test
        void members_are_sorted_by_utf_16_code_units() {
            String input = """
                {
                  "\\u20ac": "Euro Sign",
                  "\\r": "Carriage Return",
                  "\\ufb33": "Hebrew Letter Dalet With Dagesh",
                  "1": "One",
                  "\\ud83d\\ude00": "Emoji: Grinning Face",
                  "\\u0080": "Control",
                  "\\u00f6": "Latin Small Letter O With Diaeresis"
                }\
                """;
            assertEquals(
                    "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
                            + "\"\u00f6\":\"Latin Small Letter O With Diaeresis\",\"\u20ac\":\"Euro Sign\","
                            + "\"\ud83d\ude00\":\"Emoji: Grinning Face\","
                            + "\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}",
                    canonical(input));
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
            {}                                   | {}
            [ ]                                  | []
             "x"                                 | "x"
            -1.50                                | -1.5
            true                                 | true
            {"b":1,"a":2}                        | {"a":2,"b":1}
            {"b":{"d":1,"c":[3,2,{"z":1,"y":0}]},"a":null} | {"a":null,"b":{"c":[3,2,{"y":0,"z":1}],"d":1}}
            {"":{"":{"b":1,"a":1},"a":1}}        | {"":{"":{"a":1,"b":1},"a":1}}
            {"aa":1,"a":2,"":3}                  | {"":3,"a":2,"aa":1}
            [-0,0.0,1e2,1E-7]                    | [0,0,100,1e-7]
            [123456789012345,-99999999999999]    | [123456789012345,-99999999999999]
            ["\\u00e9\\/\\u007f"]                | ["é/\u007f"]
            {"constructor":1,"__proto__":2}      | {"__proto__":2,"constructor":1}
            """)
        void one_document_has_one_form(String body, String expected) {
            assertEquals(expected, canonical(body));
        }

        @Test
        void every_control_character_is_written_in_its_one_way() {
            StringBuilder input = new StringBuilder("\"");
            for (int c = 0; c < 0x20; c++) input.append(String.format("\\u%04X", c));
            assertEquals(
                    "\"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f"
                            + "\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001b"
                            + "\\u001c\\u001d\\u001e\\u001f\"",
                    canonical(input.append('"').toString()));
        }

        @Test
        void every_character_is_written_as_itself_in_utf_8() {
            for (int c = 0x20; c <= 0x10ffff; c += c < 0x900 ? 1 : 97) {
                if ((c >= 0xd800 && c <= 0xdfff) || c == '"' || c == '\\') continue;
                String text = "\"" + Character.toString(c) + "\"";
                assertEquals(text, canonical(text));
            }
        }
    }

    @Nested
    class Refusal {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    " ",
                    "{",
                    "}",
                    "[",
                    "{\"a\"}",
                    "{\"a\":}",
                    "{\"a\":1,}",
                    "[1,]",
                    "[,1]",
                    "{,}",
                    "[1 2]",
                    "{\"a\" 1}",
                    "{a:1}",
                    "{'a':1}",
                    "nul",
                    "nulll",
                    "True",
                    "NaN",
                    "Infinity",
                    "-Infinity",
                    "+1",
                    "01",
                    "-01",
                    "1.",
                    ".5",
                    "-",
                    "1e",
                    "1e+",
                    "0x10",
                    "1_000",
                    "\"",
                    "\"\\x\"",
                    "\"\\u12\"",
                    "\"\\u12G4\"",
                    "\"\t\"",
                    "\"a\nb\"",
                    "{} {}",
                    "1 2",
                    "{}x",
                    "[]]",
                    "// c\n1",
                    "/* */1",
                    "# c\n1",
                    "\u00a01",
                    "\f1",
                    "1\u000b",
                    "\ufeff{}",
                    "{}\0",
                    "\0{}",
                    "[1]\u001e"
                })
        void what_is_not_json_has_no_canonical_form(String body) {
            assertRefused(body);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{\"a\":1,\"a\":1}",
                    "{\"a\":1,\"b\":2,\"a\":3}",
                    "{\"b\":1,\"a\":1,\"\\u0061\":1}",
                    "[{\"x\":{\"\":1,\"\":2}}]"
                })
        void duplicate_names_have_no_canonical_form(String body) {
            assertRefused(body);
        }

        @Test
        void the_same_name_in_different_objects_is_no_duplicate() {
            assertNotNull(JSON.of("{\"a\":{\"a\":[{\"a\":1},{\"a\":1}]}}".getBytes(UTF_8)));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "22 80 22",
                    "22 c3 22",
                    "22 c0 af 22", // overlong
                    "22 e0 80 af 22", // overlong
                    "22 f0 80 80 af 22", // overlong
                    "22 ed a0 80 22", // a surrogate
                    "22 ed a0 bd ed b8 80 22", // a pair of surrogates, each encoded by itself
                    "22 f4 90 80 80 22", // past the last character
                    "22 f8 88 80 80 80 22",
                    "22 ff 22",
                    "22 e2 82",
                    "7b 7d c3",
                    "ef bb bf 7b 7d", // a byte order mark
                    "fe ff 00 7b 00 7d",
                    "ff fe 7b 00 7d 00",
                    "00 7b 00 7d", // UTF-16
                    "7b 00 7d 00", // UTF-16
                    "00 00 00 7b 00 00 00 7d" // UTF-32
                })
        void only_well_formed_utf_8_has_a_canonical_form(String hex) {
            assertNull(JSON.of(HexFormat.of().parseHex(hex.replace(" ", ""))));
        }

        @ParameterizedTest
        @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-16", "UTF-32LE", "UTF-32BE"})
        void other_encodings_are_not_guessed(String charset) {
            assertNull(JSON.of("{\"amount\": 100}".getBytes(Charset.forName(charset))));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "\"\\ud83d\"",
                    "\"\\ude00\"",
                    "\"\\ude00\\ud83d\"",
                    "\"\\ud83dx\"",
                    "\"x\\ud83d\\ud83d\\ude00\"",
                    "{\"\\ud83d\":1}"
                })
        void half_a_character_has_no_canonical_form(String body) {
            assertRefused(body);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "9007199254740993",
                    "1234567890123456789",
                    "0.12345678901234567890",
                    "333333333.33333329",
                    "1e309",
                    "1e999999999",
                    "-1E+999999999999999999999",
                    "1e-999999999",
                    "1e-999999999999999999999"
                })
        void a_number_that_a_double_rounds_has_no_canonical_form(String number) {
            assertRefused(number);
            assertRefused("{\"amount\":[" + number + "]}");
        }

        @Test
        void the_longest_number_has_512_characters() {
            String longest = "1." + "0".repeat(510);
            assertEquals("1", canonical(longest));
            assertEquals("[1]", canonical("[" + longest + "]"));
            assertRefused(longest + "0");
            assertRefused("[" + longest + "0]");
            assertRefused("1".repeat(100_000));
            assertRefused("[0." + "0".repeat(100_000) + "]");
            assertRefused("[0e" + "0".repeat(100_000) + "]");
        }

        @Test
        void documents_are_nested_64_deep_at_most() {
            assertNotNull(JSON.of(("[".repeat(64) + "]".repeat(64)).getBytes(UTF_8)));
            assertRefused("[".repeat(65) + "]".repeat(65));
            assertNotNull(JSON.of(("{\"a\":".repeat(64) + "1" + "}".repeat(64)).getBytes(UTF_8)));
            assertRefused("{\"a\":".repeat(65) + "1" + "}".repeat(65));
        }

        @Test
        void a_document_has_one_mebibyte_at_most() {
            String largest = "\"" + "x".repeat(CanonicalJson.MAX_BYTES - 2) + "\"";
            assertEquals(largest, canonical(largest));
            assertRefused(largest + " ");
        }
    }

    @Nested
    class Exclusion {
        @ParameterizedTest
        @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
            /a           | {"a":1,"b":2}                 | {"b":2}
            /a           | {"b":2,"a":{"x":[1]}}         | {"b":2}
            /b           | {"c":3,"b":2,"a":1}           | {"a":1,"c":3}
            /a           | {"a":1}                       | {}
            /x           | {"b":1,"a":1}                 | {"a":1,"b":1}
            /m/sentAt    | {"m":{"sentAt":1,"n":2}}      | {"m":{"n":2}}
            /m/sentAt    | {"m":[1],"sentAt":1}          | {"m":[1],"sentAt":1}
            /m/sentAt    | {"m":"x"}                     | {"m":"x"}
            /a/0         | {"a":[1,2,3]}                 | {"a":[2,3]}
            /a/1         | {"a":[1,2,3]}                 | {"a":[1,3]}
            /a/2         | {"a":[1,2,{"x":[]}]}          | {"a":[1,2]}
            /a/3         | {"a":[1,2,3]}                 | {"a":[1,2,3]}
            /a/01        | {"a":[1,2,3]}                 | {"a":[1,2,3]}
            /a/-         | {"a":[1,2,3]}                 | {"a":[1,2,3]}
            /a/1         | {"a":{"1":1,"0":0}}           | {"a":{"0":0}}
            /a/1/x       | {"a":[{"x":1},{"x":1}]}       | {"a":[{"x":1},{}]}
            /0           | [1,2]                         | [2]
            /0           | [1]                           | []
            /a~1b        | {"a/b":1,"a":{"b":2}}         | {"a":{"b":2}}
            /a~0b        | {"a~b":1,"c":2}               | {"c":2}
            /a~01        | {"a~1":1,"a/":2}              | {"a/":2}
            /            | {"":1,"a":2}                  | {"a":2}
            //x          | {"":{"x":1,"y":2}}            | {"":{"y":2}}
            /a,/c        | {"c":3,"b":2,"a":1}           | {"b":2}
            /a,/a/b      | {"a":{"b":1,"c":1}}           | {}
            /a/b,/a      | {"a":{"b":1,"c":1}}           | {}
            /0,/1        | [1,2,3]                       | [3]
            /a           | {"a":1e999999999,"b":"\\u00e9"} | {"b":"é"}
            """)
        void what_a_pointer_names_is_left_out(String pointers, String body, String expected) {
            byte[] bytes = CanonicalJson.excluding(List.of(pointers.split(","))).of(body.getBytes(UTF_8));
            assertNotNull(bytes);
            assertEquals(expected, new String(bytes, UTF_8));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{\"a\":1,\"a\":2}",
                    "{\"a\":1,\"b\":1,\"a\":2}",
                    "{\"a\":[1}",
                    "{\"a\":\"\\x\"}",
                    "{\"a\":1} x"
                })
        void leaving_something_out_does_not_make_a_bad_document_good(String body) {
            assertNull(CanonicalJson.excluding(List.of("/a")).of(body.getBytes(UTF_8)));
        }

        @Test
        void the_depth_counts_in_what_is_left_out_too() {
            String deep = "{\"a\":" + "[".repeat(64) + "]".repeat(64) + "}";
            assertNull(CanonicalJson.excluding(List.of("/a")).of(deep.getBytes(UTF_8)));
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "a", "a/b", "#/a", "/a~", "/a~2b", "/~/x"})
        void what_is_no_pointer_into_a_body_is_refused(String pointer) {
            assertThrows(IllegalArgumentException.class, () -> CanonicalJson.excluding(List.of(pointer)));
        }
    }

    @Nested
    class Chance {
        private final long seed = System.nanoTime();
        private final Random random = new Random(seed);
        private final RandomJson documents = new RandomJson(random);

        @Test
        void all_spellings_of_a_document_have_the_same_bytes() {
            for (int round = 0; round < 5_000; round++) {
                Object document = documents.document(5);
                String one = documents.spell(document);
                String other = documents.spell(document);
                assertEquals(canonical(one), canonical(other), () -> "seed " + seed + "\n" + one + "\n" + other);
            }
        }

        @Test
        void a_document_that_says_something_else_has_other_bytes() {
            for (int round = 0; round < 5_000; round++) {
                Object document = documents.document(5);
                String one = documents.spell(document);
                String other = documents.spell(documents.changed(document));
                assertNotEquals(canonical(one), canonical(other), () -> "seed " + seed + "\n" + one + "\n" + other);
            }
        }

        @Test
        void the_canonical_form_is_its_own_canonical_form() {
            for (int round = 0; round < 5_000; round++) {
                String once = canonical(documents.spell(documents.document(5)));
                assertEquals(once, canonical(once), () -> "seed " + seed);
            }
        }

        @Test
        void a_second_opinion_agrees_on_good_documents() {
            for (int round = 0; round < 5_000; round++)
                assertAgreed(documents.spell(documents.document(5)).getBytes(UTF_8));
        }

        @Test
        void a_second_opinion_agrees_on_damaged_documents() {
            byte[] pieces = "{}[]\",:\\u0123456789abcdefE+-.truefalsn \t\n\0\u00e9\ud83d\ude00/*#'".getBytes(UTF_8);
            for (int round = 0; round < 20_000; round++) {
                byte[] body = documents.spell(documents.document(3)).getBytes(UTF_8);
                for (int i = random.nextInt(3); i >= 0 && body.length > 0; i--) body = damaged(body, pieces);
                assertAgreed(body);
            }
        }

        private byte[] damaged(byte[] body, byte[] pieces) {
            int at = random.nextInt(body.length);
            byte piece = random.nextInt(8) == 0 ? (byte) random.nextInt() : pieces[random.nextInt(pieces.length)];
            StringBuilder latin = new StringBuilder(new String(body, StandardCharsets.ISO_8859_1));
            switch (random.nextInt(4)) {
                case 0 -> latin.setCharAt(at, (char) (piece & 0xff));
                case 1 -> latin.insert(at, (char) (piece & 0xff));
                case 2 -> latin.deleteCharAt(at);
                default -> latin.setLength(at);
            }
            return latin.toString().getBytes(StandardCharsets.ISO_8859_1);
        }

        private void assertAgreed(byte[] body) {
            assertArrayEquals(
                    PlainJson.canonical(body), JSON.of(body), () -> "seed " + seed + "\n" + new String(body, UTF_8));
        }
    }

    @Nested
    class Hostility {
        @ParameterizedTest
        @ValueSource(strings = {"1e20,", "{},", "\"\\u0000\",", "5e-324,", "[[[[]]]],"})
        void a_large_array_takes_little_time(String element) {
            int count = (CanonicalJson.MAX_BYTES - 3) / element.length();
            assertQuick("[" + element.repeat(count) + "1]");
        }

        @Test
        void many_members_in_the_worst_order_take_little_time() {
            StringBuilder body = new StringBuilder("{");
            for (int i = 90_000; i > 10_000; i--) body.append("\"n").append(i).append("\":1,");
            assertQuick(body.append("\"\":0}").toString());
        }

        @Test
        void long_names_that_are_almost_the_same_take_little_time() {
            String prefix = "n".repeat(1_000);
            StringBuilder body = new StringBuilder("{");
            for (int i = 1_900; i > 1_000; i--)
                body.append('"').append(prefix).append(i).append("\":1,");
            assertQuick(body.append("\"\":0}").toString());
        }

        @Test
        void names_with_colliding_hashes_take_little_time_and_are_always_taken() {
            String[] pair = {"Aa", "BB"};
            StringBuilder body = new StringBuilder("{");
            for (int i = (1 << 14) - 1; i >= 0; i--) {
                body.append('"');
                for (int bit = 0; bit < 14; bit++) body.append(pair[i >> bit & 1]);
                body.append("\":1,");
            }
            String json = body.append("\"\":0}").toString();
            for (int again = 0; again < 5; again++) assertQuick(json);
        }

        @Test
        void a_large_body_below_many_unsorted_objects_takes_little_time() {
            String large = "\"" + "x".repeat(900_000) + "\"";
            assertQuick("{\"b\":".repeat(63) + large + ",\"a\":1}".repeat(63));
        }

        @Test
        void names_that_were_never_seen_before_leave_nothing_behind() {
            assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
                for (int round = 0; round < 200_000; round++)
                    assertNotNull(JSON.of(("{\"name" + round + "\":1}").getBytes(UTF_8)));
            });
        }

        private void assertQuick(String json) {
            byte[] body = json.getBytes(UTF_8);
            assertNotNull(assertTimeoutPreemptively(Duration.ofSeconds(10), () -> JSON.of(body)));
        }
    }

    private static String canonical(String body) {
        byte[] bytes = JSON.of(body.getBytes(UTF_8));
        assertNotNull(bytes, body);
        return new String(bytes, UTF_8);
    }

    private static void assertRefused(String body) {
        assertNull(JSON.of(body.getBytes(UTF_8)));
    }
}
