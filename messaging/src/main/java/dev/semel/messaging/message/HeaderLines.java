package dev.semel.messaging.message;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Headers as one text: a line {@code name:value} each. Neither a name nor a value can hold what separates them. */
public final class HeaderLines {
    private HeaderLines() {}

    /** Null for none. */
    public static @Nullable String format(Map<String, String> headers) {
        if (headers.isEmpty()) return null;
        StringBuilder lines = new StringBuilder();
        new TreeMap<>(headers).forEach((name, value) -> {
            if (!lines.isEmpty()) lines.append('\n');
            lines.append(name).append(':').append(value);
        });
        return lines.toString();
    }

    public static Map<String, String> parse(@Nullable String lines) {
        if (lines == null || lines.isEmpty()) return Map.of();
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line : lines.split("\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) headers.put(line.substring(0, colon), line.substring(colon + 1));
        }
        return headers;
    }
}
