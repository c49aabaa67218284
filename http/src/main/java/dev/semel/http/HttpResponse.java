package dev.semel.http;

import org.jspecify.annotations.Nullable;

/**
 * A response whose body is at hand whole. The body is shared, not copied: nobody changes it.
 *
 * @param problem the name of the {@link Problem} that it is; null for everything else
 */
public record HttpResponse(
        int status, Headers headers, byte[] body, @Nullable String problem) {
    public HttpResponse(int status, Headers headers, byte[] body) {
        this(status, headers, body, null);
    }

    /** The same with one header more. */
    public HttpResponse with(String name, String value) {
        return new HttpResponse(status, headers.with(name, value), body, problem);
    }
}
