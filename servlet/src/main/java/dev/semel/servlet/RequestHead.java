package dev.semel.servlet;

import dev.semel.http.Headers;
import dev.semel.http.HttpRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The head of a request, in the words of http. */
final class RequestHead {
    private RequestHead() {}

    static Headers headers(HttpServletRequest request) {
        List<Headers.Field> fields = new ArrayList<>();
        for (String name : Collections.list(request.getHeaderNames()))
            for (String value : Collections.list(request.getHeaders(name))) fields.add(new Headers.Field(name, value));
        return Headers.of(fields);
    }

    static @Nullable String query(HttpServletRequest request) {
        String query = request.getQueryString();
        return query == null || query.isEmpty() ? null : query;
    }

    static HttpRequest whole(HttpServletRequest request, Headers headers, byte[] body) {
        return new HttpRequest(request.getMethod(), request.getRequestURI(), query(request), headers, body);
    }
}
