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

    private static final int SHORTEST_HEADER = "x_http_method".length();
    private static final int LONGEST_HEADER = "x_http_method_override".length();

    /** What nearly every request has, and so it costs nothing. */
    private static final Set<String> NONE = Set.of();

    /** In queries and in forms. Some languages read dots and spaces here as underscores, too. */
    private static final String FIELD = "_method";

    /** Each of its letters percent-encoded. */
    private static final int LONGEST_NAME = 3 * LONGEST_HEADER;

    /** No honest request names more methods than this; whoever does is refused, so that nobody has to look at all. */
    public static final int MAX_METHODS = 8;

    private static final String FORM = "application/x-www-form-urlencoded";

    private MethodOverrides() {}

    /** Those that the head names, in upper case. */
    public static Set<String> ofHead(Headers headers, @Nullable String query) {
        Set<String> methods = NONE;
        for (Headers.Field field : headers)
            if (mayBeOverride(field.name()) && HEADERS.contains(folded(field.name())))
                methods = with(field.value(), methods);
        return query == null ? methods : ofForm(query, methods);
    }

    /** Those that a form in the body names, in upper case. */
    public static Set<String> ofBody(HttpRequest request) {
        Set<String> methods = NONE;
        for (String type : request.headers().all("Content-Type"))
            if (type.strip().toLowerCase(Locale.ROOT).startsWith(FORM))
                methods = ofForm(new String(request.body(), StandardCharsets.ISO_8859_1), methods);
        return methods;
    }

    /** Most headers are told from the first letter and the length alone. */
    private static boolean mayBeOverride(String name) {
        return name.length() >= SHORTEST_HEADER
                && name.length() <= LONGEST_HEADER
                && (name.charAt(0) == 'x' || name.charAt(0) == 'X');
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
    private static Set<String> ofForm(String form, Set<String> before) {
        Set<String> methods = before;
        for (int from = 0; from < form.length(); ) {
            int to = from;
            int equals = -1;
            for (; to < form.length() && form.charAt(to) != '&' && form.charAt(to) != ';'; to++)
                if (equals < 0 && form.charAt(to) == '=') equals = to;
            int length = equals - from;
            if (length >= FIELD.length() && length <= LONGEST_NAME) {
                String name = folded(decoded(form.substring(from, equals)));
                if (name.equals(FIELD) || HEADERS.contains(name))
                    methods = with(decoded(form.substring(equals + 1, to)), methods);
            }
            from = to + 1;
        }
        return methods;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException brokenEncoding) {
            return text;
        }
    }

    private static Set<String> with(String value, Set<String> before) {
        Set<String> methods = before.isEmpty() ? new LinkedHashSet<>() : before;
        for (String method : value.split(",", -1)) {
            String name = method.replace('"', ' ').strip().toUpperCase(Locale.ROOT);
            if (!name.isEmpty()) methods.add(name);
        }
        return methods;
    }
}
