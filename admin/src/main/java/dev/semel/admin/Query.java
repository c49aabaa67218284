package dev.semel.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What follows the question mark. A name that means nothing is an error: a filter with a typo must not be no filter. */
final class Query {
    private final Map<String, String> values;

    private Query(Map<String, String> values) {
        this.values = values;
    }

    /** @throws IllegalArgumentException for unknown or repeated names, and broken percent-encoding */
    static Query of(@Nullable String text, Set<String> names) {
        Map<String, String> values = new LinkedHashMap<>();
        if (text == null || text.isEmpty()) return new Query(values);
        for (String part : text.split("&", -1)) {
            int equals = part.indexOf('=');
            String name = URLDecoder.decode(equals < 0 ? part : part.substring(0, equals), UTF_8);
            if (!names.contains(name))
                throw new IllegalArgumentException("the query knows "
                        + String.join(", ", names.stream().sorted().toList()) + ", but not '" + name + "'");
            String value = equals < 0 ? "" : URLDecoder.decode(part.substring(equals + 1), UTF_8);
            if (values.put(name, value) != null)
                throw new IllegalArgumentException("'" + name + "' stands twice in the query");
        }
        return new Query(values);
    }

    @Nullable
    String get(String name) {
        return values.get(name);
    }

    String get(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    boolean isTrue(String name) {
        return switch (get(name, "false")) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("'" + name + "' is true or false");
        };
    }

    /** One segment of a path. */
    static String segment(String encoded) {
        return URLDecoder.decode(encoded.replace("+", "%2B"), UTF_8);
    }
}
