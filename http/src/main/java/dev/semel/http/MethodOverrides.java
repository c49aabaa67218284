package dev.semel.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The methods that some servers would take a request to have, whatever its first line says. */
public final class MethodOverrides {
    /** Servers that hand headers on as variables read whatever is no letter as an underscore. */
    private static final Set<String> HEADERS = Set.of("x_http_method_override", "x_http_method", "x_method_override");

    /** In queries and in forms. Some languages read dots and spaces here as underscores, too. */
    private static final String FIELD = "_method";

    /** Each of its letters percent-encoded. */
    private static final int LONGEST_NAME = 3 * "x_http_method_override".length();

    private static final String FORM = "application/x-www-form-urlencoded";

    private MethodOverrides() {}

    /** Those that the head names, in upper case. */
    public static Set<String> ofHead(Headers headers, @Nullable String query) {
        Set<String> methods = new LinkedHashSet<>();
        for (Headers.Field field : headers)
            if (field.name().regionMatches(true, 0, "x", 0, 1) && HEADERS.contains(folded(field.name())))
                add(field.value(), methods);
        if (query != null) ofForm(query, methods);
        return methods;
    }

    /** Those that a form in the body names, in upper case. */
    public static Set<String> ofBody(HttpRequest request) {
        Set<String> methods = new LinkedHashSet<>();
        for (String type : request.headers().all("Content-Type"))
            if (type.strip().toLowerCase(Locale.ROOT).startsWith(FORM))
                ofForm(new String(request.body(), StandardCharsets.ISO_8859_1), methods);
        return methods;
    }

    private static String folded(String name) {
        StringBuilder folded = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            folded.append(Character.isLetterOrDigit(c) ? Character.toLowerCase(c) : '_');
        }
        return folded.toString();
    }

    /** From separator to separator, and nothing is made of a field whose name is too short or too long. */
    private static void ofForm(String form, Set<String> methods) {
        for (int from = 0; from < form.length(); ) {
            int to = from;
            int equals = -1;
            for (; to < form.length() && form.charAt(to) != '&' && form.charAt(to) != ';'; to++)
                if (equals < 0 && form.charAt(to) == '=') equals = to;
            int length = equals - from;
            if (length >= FIELD.length() && length <= LONGEST_NAME) {
                String name = folded(decoded(form.substring(from, equals)));
                if (name.equals(FIELD) || HEADERS.contains(name)) add(decoded(form.substring(equals + 1, to)), methods);
            }
            from = to + 1;
        }
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException brokenEncoding) {
            return text;
        }
    }

    private static void add(String value, Set<String> methods) {
        for (String method : value.split(",", -1)) {
            String name = method.replace('"', ' ').strip().toUpperCase(Locale.ROOT);
            if (!name.isEmpty()) methods.add(name);
        }
    }
}
