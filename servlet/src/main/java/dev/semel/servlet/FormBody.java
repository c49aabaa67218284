package dev.semel.servlet;

import dev.semel.http.HttpRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.net.URLEncoder;
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
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Parameters in the body of a request, where it is a form. */
final class FormBody {
    private static final String FORM = "application/x-www-form-urlencoded";

    private FormBody() {}

    /**
     * Those of the query first, then those of the body.
     *
     * @param request as the server has it: it knows those of the query, or all where someone else has read the form before
     * @param encoding of the form, as the application has it
     */
    static Map<String, String[]> parameters(HttpServletRequest request, HttpRequest whole, @Nullable String encoding) {
        Map<String, String[]> known = request.getParameterMap();
        if (!isForm(request.getContentType()) || madeAgain(request) != null) return known;
        Charset charset = charset(encoding);
        Map<String, List<String>> all = new LinkedHashMap<>();
        known.forEach((name, values) -> all.put(name, new ArrayList<>(Arrays.asList(values))));
        parse(new String(whole.body(), StandardCharsets.ISO_8859_1), charset, all);
        Map<String, String[]> arrays = new LinkedHashMap<>();
        all.forEach((name, values) -> arrays.put(name, values.toArray(String[]::new)));
        return Collections.unmodifiableMap(arrays);
    }

    private static void parse(String form, Charset charset, Map<String, List<String>> all) {
        for (String field : form.split("&", -1)) {
            if (field.isEmpty()) continue;
            int equals = field.indexOf('=');
            String name = decoded(equals < 0 ? field : field.substring(0, equals), charset);
            String value = equals < 0 ? "" : decoded(field.substring(equals + 1), charset);
            all.computeIfAbsent(name, first -> new ArrayList<>()).add(value);
        }
    }

    /**
     * A form that someone else has read before, made again from its parameters: always the same for the same ones.
     *
     * @return null when the request is no form, or its parameters are all of its query
     */
    static byte @Nullable [] madeAgain(HttpServletRequest request) {
        if (!isForm(request.getContentType())) return null;
        Charset charset = charset(request.getCharacterEncoding());
        Map<String, List<String>> query = new LinkedHashMap<>();
        if (request.getQueryString() != null) parse(request.getQueryString(), StandardCharsets.UTF_8, query);
        StringJoiner form = new StringJoiner("&");
        new TreeMap<>(request.getParameterMap()).forEach((name, values) -> {
            // Those of the query stand first.
            int before = query.getOrDefault(name, List.of()).size();
            for (int i = Math.min(before, values.length); i < values.length; i++)
                form.add(URLEncoder.encode(name, charset) + "=" + URLEncoder.encode(values[i], charset));
        });
        return form.length() == 0 ? null : form.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static boolean isForm(@Nullable String type) {
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
