package dev.semel.servlet;

import dev.semel.http.HttpRequest;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parameters in the body of a request, where it is a form. */
final class FormBody {
    private static final String FORM = "application/x-www-form-urlencoded";

    private FormBody() {}

    /** Those of the query first, then those of the body. */
    static Map<String, String[]> added(Map<String, String[]> query, HttpRequest request, @Nullable String encoding) {
        if (!isForm(request)) return query;
        Charset charset = charset(encoding);
        Map<String, List<String>> all = new LinkedHashMap<>();
        query.forEach((name, values) -> all.put(name, new ArrayList<>(Arrays.asList(values))));
        String form = new String(request.body(), StandardCharsets.ISO_8859_1);
        for (String field : form.split("&", -1)) {
            if (field.isEmpty()) continue;
            int equals = field.indexOf('=');
            String name = decoded(equals < 0 ? field : field.substring(0, equals), charset);
            String value = equals < 0 ? "" : decoded(field.substring(equals + 1), charset);
            all.computeIfAbsent(name, first -> new ArrayList<>()).add(value);
        }
        Map<String, String[]> arrays = new LinkedHashMap<>();
        all.forEach((name, values) -> arrays.put(name, values.toArray(String[]::new)));
        return Collections.unmodifiableMap(arrays);
    }

    private static boolean isForm(HttpRequest request) {
        String type = request.headers().first("Content-Type");
        return type != null && type.strip().toLowerCase(Locale.ROOT).startsWith(FORM);
    }

    private static Charset charset(@Nullable String encoding) {
        if (encoding == null) return StandardCharsets.UTF_8;
        try {
            return Charset.forName(encoding);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return StandardCharsets.UTF_8;
        }
    }

    /** What is not properly encoded stays as it is. Bytes that were sent bare are in the form's own encoding. */
    private static String decoded(String text, Charset charset) {
        try {
            return URLDecoder.decode(new String(text.getBytes(StandardCharsets.ISO_8859_1), charset), charset);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
