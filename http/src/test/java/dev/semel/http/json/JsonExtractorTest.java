package dev.semel.http.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.http.json.FieldReading.Nothing;
import dev.semel.http.json.FieldReading.Unusable;
import dev.semel.http.json.FieldReading.Value;
import java.math.BigDecimal;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonExtractorTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
        {"a":"x"}                            | /a       | x
        {"a":{"b":{"c":"x"}}}                | /a/b/c   | x
        {"a":["x","y"]}                      | /a/1     | y
        {"a":[[],{"b":7}]}                   | /a/1/b   | 7
        ["x"]                                | /0       | x
        {"":"x"}                             | /        | x
        {"":{"":"x"}}                        | //       | x
        {"a/b":"x"}                          | /a~1b    | x
        {"a~b":"x"}                          | /a~0b    | x
        {"~1":"x"}                           | /~01     | x
        {"0":"x"}                            | /0       | x
        {"01":"x"}                           | /01      | x
        {"\\u0061":"x"}                      | /a       | x
        {"a":"\\u00e9\\n\\ud83d\\ude00"}     | /a       | \u00e9\\n\ud83d\ude00
        {"a":true}                           | /a       | true
        {"a":false}                          | /a       | false
        {"a":1.0}                            | /a       | 1
        {"a":1e2}                            | /a       | 100
        {"a":-0}                             | /a       | 0
        {"a":0e999999999999}                 | /a       | 0
        {"a":1E400}                          | /a       | 1e+400
        {"a":12345678901234567891}           | /a       | 12345678901234567891
        {"a":9007199254740993.0}             | /a       | 9007199254740993
        {"b":1,"b":2,"a":{"x":1,"x":2,"c":3}}| /a/c     | 3
        {"a":{"b":1},"c":{"b":1,"b":2}}      | /a/b     | 1
        """)
    void finds_values_and_spells_them_in_one_way(String body, String pointer, String value) {
        assertEquals(new Value(value.translateEscapes()), pick(body, pointer));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
        {}                  | /a
        {"a":null}          | /a
        {"a":1}             | /a/b
        {"a":"x"}           | /a/0
        {"a":[1]}           | /a/1
        {"a":[1]}           | /a/-
        {"a":[1,2]}         | /a/01
        {"a":[1]}           | /a/99999999999999999999
        {"A":1}             | /a
        [{"a":1}]           | /a
        7                   | /a
        null                | /a
        """)
    void says_where_nothing_is(String body, String pointer) {
        assertInstanceOf(Nothing.class, pick(body, pointer));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
        {"a":""}                              | is empty
        {"a":{}}                              | is an object
        {"a":[]}                              | is an array
        {"a":"\\ud83d"}                       | half a character
        {"a":"\\ude00\\ud83d"}                | half a character
        {"a":1e1000}                          | a double reaches
        {"a":1e-1000001}                      | a double reaches
        {"a":1,"a":1}                         | twice
        {"a":1,"b":2,"\\u0061":1}             | twice
        {"a":null,"a":1}                      | twice
        {"a":1,"a":null}                      | twice
        {"a":1,"a":{},"a":2}                  | twice
        {"a":1                                | not valid JSON
        {"a":1,}                              | not valid JSON
        {"a":01}                              | not valid JSON
        {a:1}                                 | not valid JSON
        {"a":NaN}                             | not valid JSON
        {"a":1}/**/                           | not valid JSON
        {"a":1}{"a":1}                        | not one JSON document
        {"a":1} 2                             | not one JSON document
        {"a":"x\t"}                           | not valid JSON
        {"a":1,"b":"\\x"}                     | not valid JSON
        ""\\ufeff                             | not valid JSON
        """)
    void says_why_something_is_no_value(String body, String why) {
        Unusable unusable = assertInstanceOf(Unusable.class, pick(body, "/a"));
        assertTrue(unusable.why().contains(why), unusable::why);
    }

    @Test
    void a_name_that_occurs_twice_on_the_way_spoils_all_below_it_and_nothing_else() {
        String body = "{\"a\":{\"b\":1,\"c\":2},\"d\":3,\"a\":{\"b\":1}}";
        List<FieldReading> picked =
                JsonExtractor.of(List.of("/a/b", "/a/c", "/d", "/a/e")).from(body.getBytes(UTF_8));
        assertInstanceOf(Unusable.class, picked.get(0));
        assertInstanceOf(Unusable.class, picked.get(1));
        assertEquals(new Value("3"), picked.get(2));
        assertInstanceOf(Unusable.class, picked.get(3));
    }

    @Test
    void one_pointer_may_lead_through_another_and_stand_twice() {
        List<FieldReading> picked =
                JsonExtractor.of(List.of("/a", "/a/b", "/a/b")).from("{\"a\":{\"b\":1}}".getBytes(UTF_8));
        assertInstanceOf(Unusable.class, picked.getFirst());
        assertEquals(List.of(new Value("1"), new Value("1")), picked.subList(1, 3));
    }

    @Test
    void the_caps_of_the_canonical_form_hold() {
        assertInstanceOf(Value.class, pick(nested(CanonicalJson.MAX_DEPTH - 1), "/a"));
        assertReason("nested deeper", nested(CanonicalJson.MAX_DEPTH));
        assertInstanceOf(Value.class, pick(padded(CanonicalJson.MAX_BYTES), "/a"));
        assertReason("longer than", padded(CanonicalJson.MAX_BYTES + 1));
        assertInstanceOf(Value.class, pick("{\"a\":" + "1".repeat(512) + "}", "/a"));
        assertInstanceOf(Unusable.class, pick("{\"a\":" + "1".repeat(513) + "}", "/a"));
    }

    private static String nested(int depth) {
        return "{\"a\":1,\"b\":" + "[".repeat(depth) + "]".repeat(depth) + "}";
    }

    private static String padded(int length) {
        return "{\"a\":1}" + " ".repeat(length - 7);
    }

    @Test
    void a_body_that_is_empty_or_not_utf_8_has_no_values() {
        assertEquals(new Nothing("The body is empty."), pick("", "/a"));
        assertReason("not one JSON document", " ");
        byte[] latin = {'{', '"', 'a', '"', ':', '1', ',', '"', 'b', '"', ':', '"', (byte) 0xe9, '"', '}'};
        assertEquals(
                List.of(new Unusable("The body is not UTF-8.")),
                JsonExtractor.of(List.of("/a")).from(latin));
    }

    private static void assertReason(String why, String body) {
        Unusable unusable = assertInstanceOf(Unusable.class, pick(body, "/a"));
        assertTrue(unusable.why().contains(why), unusable::why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a/b", "/a~", "/~2", "/a~/b", "#/a"})
    void what_is_no_pointer_is_refused(String pointer) {
        assertThrows(IllegalArgumentException.class, () -> JsonExtractor.of(List.of(pointer)));
    }

    private static FieldReading pick(String body, String pointer) {
        return JsonExtractor.of(List.of(pointer)).from(body.getBytes(UTF_8)).getFirst();
    }

    @Nested
    class By_chance {
        private static final String SYNTAX = "{}[]\",:0123456789eE+-.tfn\\ud\t ";

        private final long seed = System.nanoTime();
        private final Random random = new Random(seed);
        private final RandomJson json = new RandomJson(random);

        @Test
        void values_are_those_of_a_plain_tree_however_the_body_is_spelled() {
            for (int i = 0; i < 8_000; i++) {
                Object document = json.document(4);
                String body = json.spell(document);
                List<String> pointers = pointers(document);
                List<FieldReading> picked = JsonExtractor.of(pointers).from(body.getBytes(UTF_8));
                for (int p = 0; p < pointers.size(); p++)
                    assertSame(lookUp(document, pointers.get(p)), picked.get(p), body + "\n" + pointers.get(p));
            }
        }

        @Test
        void a_damaged_body_gives_no_other_value_than_a_plain_reader_finds_in_it() {
            int readable = 0;
            for (int i = 0; i < 20_000; i++) {
                Object document = json.document(3);
                byte[] body = damaged(json.spell(document).getBytes(UTF_8));
                List<String> pointers = pointers(document);
                List<FieldReading> picked = JsonExtractor.of(pointers).from(body);
                if (compare(body, pointers, picked)) readable++;
            }
            assertTrue(readable > 300, "seed " + seed + ": readable " + readable);
        }

        private boolean compare(byte[] body, List<String> pointers, List<FieldReading> picked) {
            String text = new String(body, UTF_8);
            try {
                Object tree = PlainJson.tree(body);
                for (int p = 0; p < pointers.size(); p++)
                    assertSame(lookUp(tree, pointers.get(p)), picked.get(p), text + "\n" + pointers.get(p));
                return true;
            } catch (PlainJson.Ambiguous elsewherePerhaps) {
                return false;
            } catch (PlainJson.NotCanonical | CharacterCodingException notJson) {
                for (FieldReading each : picked) assertFalse(each instanceof Value, () -> "seed " + seed + "\n" + text);
                return false;
            }
        }

        @Test
        void names_that_occur_twice_are_always_noticed() {
            for (int i = 0; i < 8_000; i++) {
                Entries document = entries(3);
                List<String> pointers = List.of(pointer(names(4)), pointer(names(4)), pointer(names(4)));
                List<FieldReading> picked =
                        JsonExtractor.of(pointers).from(document.toString().getBytes(UTF_8));
                for (int p = 0; p < pointers.size(); p++)
                    assertSame(lookUp(document, pointers.get(p)), picked.get(p), document + "\n" + pointers.get(p));
            }
        }

        private List<String> names(int longest) {
            List<String> names = new ArrayList<>();
            for (int n = random.nextInt(longest) + 1; n > 0; n--) names.add("abc".charAt(random.nextInt(3)) + "");
            return names;
        }

        private Entries entries(int depth) {
            List<Map.Entry<String, Object>> members = new ArrayList<>();
            for (int n = random.nextInt(4); n > 0; n--)
                members.add(Map.entry(
                        names(1).getFirst(), depth > 0 && random.nextBoolean() ? entries(depth - 1) : "v" + n));
            return new Entries(members);
        }

        /** Some that lead somewhere, some that do not. */
        private List<String> pointers(Object document) {
            List<String> pointers = new ArrayList<>();
            for (int n = random.nextInt(4) + 1; n > 0; n--) {
                List<String> steps = new ArrayList<>();
                Object place = document;
                do {
                    List<String> names = names(place);
                    String step = random.nextInt(8) == 0 || names.isEmpty()
                            ? List.of("a", "0", "-", "", "~/").get(random.nextInt(5))
                            : names.get(random.nextInt(names.size()));
                    steps.add(step);
                    place = below(place, step);
                } while (place != null && random.nextInt(4) > 0);
                pointers.add(pointer(steps));
            }
            return pointers;
        }

        private static List<String> names(Object place) {
            return switch (place) {
                case Map<?, ?> map -> map.keySet().stream().map(String::valueOf).toList();
                case List<?> list ->
                    IntStream.range(0, list.size()).mapToObj(Integer::toString).toList();
                default -> List.of();
            };
        }

        private static String pointer(List<String> steps) {
            return steps.stream()
                    .map(step -> "/" + step.replace("~", "~0").replace("/", "~1"))
                    .collect(Collectors.joining());
        }

        private byte[] damaged(byte[] body) {
            byte[] copy = body.clone();
            int at = random.nextInt(body.length);
            switch (random.nextInt(4)) {
                case 0 -> copy[at] = (byte) random.nextInt(256);
                case 1 -> copy[at] = (byte) SYNTAX.charAt(random.nextInt(SYNTAX.length()));
                case 2 -> copy = Arrays.copyOf(copy, at);
                default -> {
                    int from = random.nextInt(body.length);
                    System.arraycopy(body, at, copy, from, Math.min(body.length - at, body.length - from));
                }
            }
            return copy;
        }

        private void assertSame(Object expected, FieldReading picked, String what) {
            Function<String, String> message = found -> "seed " + seed + "\n" + what + "\n" + expected + " " + found;
            Class<? extends FieldReading> kind = expected instanceof String text && !text.isEmpty()
                    ? Value.class
                    : expected == null || expected == Void.class ? Nothing.class : Unusable.class;
            assertEquals(kind, picked.getClass(), () -> message.apply(picked.toString()));
            if (picked instanceof Value(String text)) assertEquals(expected, text, () -> message.apply(text));
        }

        /** A text; null or Void for nothing; anything else is unusable. */
        private static Object lookUp(Object document, String pointer) {
            Object place = document;
            for (String step : pointer.substring(1).split("/", -1)) {
                place = below(place, step.replace("~1", "/").replace("~0", "~"));
                if (place == null || place == Entries.TWICE) return place;
            }
            return switch (place) {
                case String[] spellings -> PlainJson.ecma(new BigDecimal(spellings[0]));
                case BigDecimal number -> PlainJson.ecma(number);
                case Boolean bool -> bool.toString();
                default -> place;
            };
        }

        private static Object below(Object place, String step) {
            return switch (place) {
                case Map<?, ?> map -> map.get(step);
                case Entries entries -> entries.get(step);
                case List<?> list ->
                    step.matches("0|[1-9][0-9]{0,5}") && Integer.parseInt(step) < list.size()
                            ? list.get(Integer.parseInt(step))
                            : null;
                default -> null;
            };
        }
    }

    /** An object in which a name may occur twice. */
    private record Entries(List<Map.Entry<String, Object>> members) {
        static final Object TWICE = new Object();

        Object get(String name) {
            List<Object> values = members.stream()
                    .filter(member -> member.getKey().equals(name))
                    .map(Map.Entry::getValue)
                    .toList();
            return values.size() > 1 ? TWICE : values.isEmpty() ? null : values.getFirst();
        }

        @Override
        public String toString() {
            return members.stream()
                    .map(member -> "\"" + member.getKey() + "\":"
                            + (member.getValue() instanceof String text ? "\"" + text + "\"" : member.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
    }
}
