package dev.semel.http.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.http.template.Placeholder.Kind;
import dev.semel.http.template.Rendering.Missing;
import dev.semel.http.template.Rendering.Text;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTemplateTest {
    private static final Set<Kind> ANY = EnumSet.allOf(Kind.class);
    private static final String BODY = """
        {"invoice": "2026/17", "customer": {"id": 42}, "paid": true, "note": "5 %", "who": "Zo\u00eb", "none": null,
         "lines": [{"sku": "a:b"}], "blank": "", "total": 10.50}
        """;
    private static final TestValues SENT = TestValues.headers(
                    Map.of("X-Merchant", " acme:1 ", "Empty", "\t", "Quoted", "\"q\""))
            .withBody(BODY)
            .withKey("k-1");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
        {body:/customer/id}                    | 42
        {header:X-Merchant}                    | acme:1
        {header:x-merchant}:{body:/invoice}    | acme%3A1:2026/17
        {header:X-Merchant}/{body:/invoice}    | acme:1/2026%2F17
        inv-{body:/invoice}-x                  | inv-2026/17-x
        {body:/note}                           | 5%20%25
        {body:/who}                            | Zo%C3%AB
        {body:/paid}:{body:/total}             | true:10.5
        {body:/lines/0/sku}.{body:/lines/0/sku}| a:b.a:b
        {key}:{body:/customer/id}              | k-1:42
        {header:Quoted}                        | "q"
        {key}~~{key}                           | k-1~~k-1
        """)
    void values_are_set_in_and_kept_apart(String template, String key) {
        assertEquals(new Text(key), KeyTemplate.parse(template, ANY).asKey(SENT));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
        {header:X-Other}                    | true  | The X-Other header is missing.
        {body:/none}                        | true  | What the JSON body has at /none is null.
        {header:X-Other}:{body:/other}      | true  | The X-Other header is missing. The JSON body has nothing at /other.
        {header:X-Merchant}:{body:/other}   | false | The JSON body has nothing at /other.
        {body:/invoice}:{header:X-Other}    | false | The X-Other header is missing.
        {header:Empty}                      | false | The Empty header is empty.
        {body:/blank}                       | false | What the JSON body has at /blank is empty.
        {body:/customer}:{header:X-Other}   | false | What the JSON body has at /customer is an object; a string, a number or a boolean is wanted. The X-Other header is missing.
        """)
    void what_is_missing_is_said(String template, boolean entirely, String what) {
        assertEquals(
                new Missing(what, entirely), KeyTemplate.parse(template, ANY).asKey(SENT));
    }

    @Test
    void a_header_that_was_sent_twice_is_no_value() {
        TestValues twice = new TestValues(null, Map.of("A", List.of("x", "x")), "");
        assertEquals(
                new Missing("The A header was sent 2 times; send it once.", false),
                KeyTemplate.parse("{header:A}", ANY).asKey(twice));
    }

    @Test
    void one_reason_is_not_told_twice() {
        assertEquals(
                new Missing("The body is not valid JSON.", false),
                KeyTemplate.parse("{body:/a}:{body:/b}", ANY).asKey(SENT.withBody("{")));
    }

    @Test
    void the_body_is_asked_for_only_by_those_who_need_it() {
        KeyTemplate head = KeyTemplate.parse("{header:A}", ANY);
        assertFalse(head.needsBody());
        assertTrue(KeyTemplate.parse("{header:A}:{body:/a}", ANY).needsBody());
        TestValues bodyless = new TestValues(null, Map.of("A", List.of("x")), null);
        assertEquals(new Text("x"), head.asKey(bodyless));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
        {                       | not closed
        {body:/a                | not closed
        {body:/a{key}           | not closed
        a}                      | without an opening one
        {key}}                  | without an opening one
        {}                      | '' is not known
        {kee}                   | 'kee' is not known; what can stand here: key, header:NAME, body:/POINTER
        {Key}                   | is not known
        {query:a}               | is not known
        {header:}               | not the name of a header
        {header:A B}            | not the name of a header
        {header: A}             | not the name of a header
        {header:A:}             | not the name of a header
        {body:}                 | names the whole body
        {body:a}                | begins with a slash
        {body:/~}               | stands before 0
        {key}{header:A}         | something between them
        plain                   | Without a placeholder
        {key}%{header:A}        | visible ASCII
        %{key}                  | visible ASCII
        {key} {header:A}        | visible ASCII
        \u00e9{key}             | visible ASCII
        """)
    void what_is_no_template_is_refused(String template, String why) {
        var refused = assertThrows(IllegalArgumentException.class, () -> KeyTemplate.parse(template, ANY));
        assertTrue(refused.getMessage().contains(why), refused::getMessage);
    }

    @Test
    void what_is_not_allowed_here_is_refused() {
        var refused = assertThrows(
                IllegalArgumentException.class, () -> KeyTemplate.parse("{key}", Set.of(Kind.HEADER, Kind.BODY)));
        assertEquals(
                "'key' is not allowed here; what can stand here: header:NAME, body:/POINTER", refused.getMessage());
    }

    @Test
    void templates_are_equal_when_their_texts_are() {
        assertEquals(KeyTemplate.parse("{key}", ANY), KeyTemplate.parse("{key}", ANY));
        assertNotEquals(KeyTemplate.parse("{key}", ANY), KeyTemplate.parse("{key}x", ANY));
        assertEquals("a-{key}", KeyTemplate.parse("a-{key}", ANY).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{header:A}:{header:B}:{header:C}",
                "2{header:A}2{header:B}a2{header:C}:",
                "{header:A}a:{header:B}5{header:C}"
            })
    void different_values_never_make_the_same_key(String template) {
        KeyTemplate parsed = KeyTemplate.parse(template, ANY);
        Map<String, Map<String, String>> made = new HashMap<>();
        List<String> values = shortTexts(":%25a\u00e9");
        for (String a : values)
            for (String b : values)
                for (String c : values) {
                    Map<String, String> sent = Map.of("A", a, "B", b, "C", c);
                    Text key = assertInstanceOf(Text.class, parsed.asKey(TestValues.headers(sent)));
                    assertNull(made.put(key.text(), sent), () -> sent + " " + key);
                    assertTrue(key.text().chars().allMatch(each -> each > ' ' && each < 0x7f), key::text);
                }
        assertEquals(42 * 42 * 42, made.size());
    }

    /** All of one or two characters. */
    private static List<String> shortTexts(String alphabet) {
        List<String> texts = new ArrayList<>();
        for (char first : alphabet.toCharArray()) {
            texts.add("" + first);
            for (char second : alphabet.toCharArray()) texts.add("" + first + second);
        }
        return texts;
    }

    @Test
    void any_text_is_a_template_or_refused_with_a_reason() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String[] pieces = {"{", "}", "key", "header:", "body:", "/", "A", "~", "~1", ":", "%", " ", "\u00e9", "{key}"};
        int parsed = 0;
        for (int i = 0; i < 30_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(8); n > 0; n--) text.append(pieces[random.nextInt(pieces.length)]);
            try {
                KeyTemplate.parse(text.toString(), ANY).asKey(SENT);
                PathTemplate.parse("/" + text, ANY).asPath(SENT);
                parsed++;
            } catch (IllegalArgumentException refused) {
                assertFalse(refused.getMessage().isBlank());
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + " " + text, e);
            }
        }
        assertTrue(parsed > 30, "seed " + seed + ": parsed " + parsed);
    }
}
