package dev.semel.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Parameters of a query, as forms write them. */
public final class QueryText {
    private QueryText() {}

    /**
     * The first parameter of this name, decoded; null when there is none.
     *
     * @throws IllegalArgumentException when the query is not properly encoded
     */
    public static @Nullable String first(@Nullable String query, String name) {
        if (query == null) return null;
        for (String parameter : query.split("&", -1)) {
            int equals = parameter.indexOf('=');
            String named = equals < 0 ? parameter : parameter.substring(0, equals);
            if (decoded(named).equals(name)) return equals < 0 ? "" : decoded(parameter.substring(equals + 1));
        }
        return null;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
