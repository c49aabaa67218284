package dev.semel.http;

import dev.semel.http.template.Values;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request offers to templates.
 *
 * @param key null when it has none, or none yet
 * @param body shared, not copied: nobody changes it
 */
public record RequestValues(@Nullable String key, Headers head, byte[] body) implements Values {
    private static final byte[] NO_BODY = {};

    /** All that is left when the request itself is gone. */
    public static RequestValues ofKey(String key) {
        return new RequestValues(key, Headers.NONE, NO_BODY);
    }

    /** For templates that need no body. */
    public static RequestValues ofHead(@Nullable String key, Headers head) {
        return new RequestValues(key, head, NO_BODY);
    }

    public static RequestValues of(@Nullable String key, HttpRequest request) {
        return new RequestValues(key, request.headers(), request.body());
    }

    @Override
    public List<String> headers(String name) {
        return head.all(name);
    }
}
