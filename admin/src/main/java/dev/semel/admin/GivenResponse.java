package dev.semel.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.http.HeaderRules;
import dev.semel.http.Headers;
import dev.semel.http.HttpResponse;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code {status, headers: [[name, value], …], body | bodyBase64}}: what a client's retry is to be told. */
final class GivenResponse {
    private static final Set<String> NAMES = Set.of("status", "headers", "body", "bodyBase64");
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}");
    private static final Pattern VALUE = Pattern.compile("[\\t\\x20-\\x7e\\x80-\\xff]{0,8000}");
    private static final int MOST_HEADERS = 100;

    private GivenResponse() {}

    /** As it is stored: without what belongs to one connection, and without secrets. */
    static HttpResponse of(Map<?, ?> members) {
        Given given = Given.of(members, NAMES);
        Long status = given.number("status");
        if (status == null || status < 200 || status > 599)
            throw new IllegalArgumentException("the response needs a 'status' from 200 to 599");
        byte[] body = body(given);
        if ((status == 204 || status == 304) && body.length > 0)
            throw new IllegalArgumentException("a response with status " + status + " has no body");
        return new HttpResponse(status.intValue(), HeaderRules.DEFAULT.stored(headers(given.value("headers"))), body);
    }

    private static Headers headers(@Nullable Object value) {
        if (value == null) return Headers.NONE;
        if (!(value instanceof List<?> pairs) || pairs.size() > MOST_HEADERS)
            throw new IllegalArgumentException(
                    "'headers' must be a list of at most " + MOST_HEADERS + " pairs [name, value]");
        List<Headers.Field> fields = new ArrayList<>();
        for (Object pair : pairs) fields.add(field(pair));
        return Headers.of(fields);
    }

    private static Headers.Field field(@Nullable Object pair) {
        if (pair instanceof List<?> both
                && both.size() == 2
                && both.get(0) instanceof String name
                && both.get(1) instanceof String value
                && NAME.matcher(name).matches()
                && VALUE.matcher(value).matches()) return new Headers.Field(name, value.strip());
        throw new IllegalArgumentException("a header must be a pair of a header name and its value, not " + pair);
    }

    private static byte[] body(Given given) {
        String text = given.text("body");
        String base64 = given.text("bodyBase64");
        if (text != null && base64 != null)
            throw new IllegalArgumentException("a response has 'body' or 'bodyBase64', not both");
        if (base64 == null) return text == null ? new byte[0] : text.getBytes(UTF_8);
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'bodyBase64' is not base64", e);
        }
    }
}
