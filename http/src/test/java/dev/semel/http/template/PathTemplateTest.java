package dev.semel.http.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.http.PathText;
import dev.semel.http.template.Placeholder.Kind;
import dev.semel.http.template.Rendering.Missing;
import dev.semel.http.template.Rendering.Text;
import java.net.URI;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathTemplateTest {
    private static final Set<Kind> ANY = EnumSet.allOf(Kind.class);

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
        /v1/charges?idempotency_key={key} | a b&c=d#e+f    | /v1/charges?idempotency_key=a%20b%26c%3Dd%23e%2Bf
        /v1/charges/{key}                 | a/b?c          | /v1/charges/a%2Fb%3Fc
        /v1/charges/{key}/status          | \u00e9         | /v1/charges/%C3%A9/status
        /{key}                            | Az09-._~       | /Az09-._~
        /a?b={key}&c={key}                | %              | /a?b=%25&c=%25
        /a?b={key}                        | ..             | /a?b=..
        /a?b={key}                        | x/../y         | /a?b=x%2F..%2Fy
        /a/x{key}                         | ..             | /a/x..
        /a/{key}                          | ...            | /a/...
        /a/{key}                          | .a             | /a/.a
        /a/{key}                          | a/b            | /a/a%2Fb
        /a%20b/{key}                      | c              | /a%20b/c
        """)
    void values_are_encoded_in_their_place(String template, String key, String path) {
        assertEquals(new Text(path), render(template, key));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
        /a/{key}       | .
        /a/{key}       | ..
        /a/{key}/b     | ..
        /a/{key}?b=c   | ..
        /a/.{key}      | .
        /a/{key}.      | .
        /a/{key}{key}  | .
        /a/{key}       | ../b
        /a/{key}       | b/..
        /a/{key}       | b\\..\\c
        /a/{key}       | ..;x
        /a/{key}       | ?/..
        /a/{key}       | b/./c
        """)
    void a_value_that_would_make_a_dot_segment_has_no_path(String template, String key) {
        Missing missing = assertInstanceOf(Missing.class, render(template, key));
        assertTrue(missing.what().contains("dot segment"), missing::what);
        assertFalse(missing.entirely());
    }

    @Test
    void what_is_missing_is_said() {
        Rendering rendered = PathTemplate.parse("/a/{key}", ANY).asPath(TestValues.headers(Map.of()));
        assertEquals(new Missing("There is no idempotency key.", true), rendered);
        assertEquals(new Missing("The idempotency key is empty.", false), render("/a/{key}", ""));
        assertEquals(new Missing("The idempotency key holds half a character.", false), render("/a/{key}", "\ud83d"));
    }

    @Test
    void a_template_tells_what_it_is_made_of() {
        PathTemplate template = PathTemplate.parse("/a/{key}?b={header:B}", ANY);
        assertTrue(template.uses(Kind.KEY));
        assertFalse(template.uses(Kind.BODY));
        assertTrue(PathTemplate.parse("/a/{body:/id}", ANY).uses(Kind.BODY));
        assertEquals(new Text("/a"), PathTemplate.parse("/a", ANY).asPath(TestValues.headers(Map.of())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a/{key}",
                "{key}",
                "//host/{key}",
                "http://host/{key}",
                "/a b/{key}",
                "/a#{key}",
                "/%{key}",
                "/%4{key}",
                "/a/../{key}",
                "/./{key}",
                "/a/..",
                "/%2e{key}",
                "/a%2F{key}",
                "/a%5c{key}",
                "/a\\{key}",
                "/\u00e9{key}",
                "/a\r\n{key}",
                "/a[{key}]",
                "/a/{kee}"
            })
    void what_is_no_path_is_refused(String template) {
        assertThrows(IllegalArgumentException.class, () -> PathTemplate.parse(template, ANY));
    }

    @Test
    void no_value_leaves_its_place() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<String> templates = List.of(
                "/v1/charges/{key}",
                "/v1/charges/{key}/events/{header:H}?a={body:/b}&c={key}",
                "/v1/charges/x{key}.{header:H}?{body:/b}",
                "/v1/charges/?a=b/{key}?{header:H}");
        int made = 0;
        for (int i = 0; i < 30_000; i++) {
            String template = templates.get(random.nextInt(templates.size()));
            String key = value(random);
            String header = value(random);
            TestValues sent = TestValues.headers(Map.of("H", "x" + header + "x"))
                    .withKey(key)
                    .withBody("{\"b\":\"x" + value(random).replaceAll("[\"\\\\\\x00-\\x1f]", "_") + "\"}");
            if (PathTemplate.parse(template, ANY).asPath(sent) instanceof Text(String path)) {
                assertKeepsItsForm(template, path, "seed " + seed + " " + template + " " + path);
                made++;
            } else {
                assertTrue(key.isEmpty() || (key + header).contains("."), () -> "seed " + seed + " " + sent);
            }
        }
        assertTrue(made > 15_000, "seed " + seed + ": made " + made);
    }

    private static void assertKeepsItsForm(String template, String path, String what) throws Exception {
        URI form = new URI(template.replaceAll("\\{[^}]*}", "x"));
        URI uri = new URI(path);
        assertEquals(count(form.getRawPath(), '/'), count(uri.getRawPath(), '/'), what);
        for (char separator : "&=?/".toCharArray())
            assertEquals(count(form.getRawQuery(), separator), count(uri.getRawQuery(), separator), what);
        assertNull(uri.getFragment(), what);
        assertNull(uri.getHost(), what);
        assertEquals(uri.normalize(), uri, what);
        for (String piece : uri.getPath().split("[/\\\\]", -1))
            assertFalse(piece.matches("\\.{1,2}(;.*)?"), () -> what + " has " + piece);
        assertTrue(PathText.decoded(uri.getRawPath()).startsWith("/v1/charges"), what);
        assertFalse(path.chars().anyMatch(c -> c <= ' ' || c >= 0x7f), what);
    }

    private static long count(String text, char c) {
        return text == null ? -1 : text.chars().filter(each -> each == c).count();
    }

    private static String value(Random random) {
        String alphabet = "/?#&=;.%+ \\:@\u0000\r\n\u00e92eFa..";
        StringBuilder value = new StringBuilder();
        for (int n = random.nextInt(8); n > 0; n--) {
            if (random.nextInt(20) == 0) value.appendCodePoint(0x1f600 + random.nextInt(50));
            else value.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return value.toString();
    }

    private static Rendering render(String template, String key) {
        return PathTemplate.parse(template, ANY)
                .asPath(TestValues.headers(Map.of()).withKey(key));
    }
}
