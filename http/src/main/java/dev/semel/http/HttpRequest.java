package dev.semel.http;

import org.jspecify.annotations.Nullable;

/**
 * A request whose body has been read whole.
 *
 * @param path the path as it stood on the request line, percent-encoding and all, without the query
 * @param query what followed the question mark; null when there was none
 * @param body shared, not copied: nobody changes it
 */
public record HttpRequest(
        String method, String path, @Nullable String query, Headers headers, byte[] body) {

    /** Path and query as they stood on the request line. */
    public String target() {
        return query == null ? path : path + "?" + query;
    }
}
