package dev.semel.servlet;

import dev.semel.http.Headers;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request with other headers. */
class PassedRequest extends HttpServletRequestWrapper {
    private final Headers headers;

    PassedRequest(HttpServletRequest request, Headers headers) {
        super(request);
        this.headers = headers;
    }

    @Override
    public @Nullable String getHeader(String name) {
        return headers.first(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return Collections.enumeration(headers.all(name));
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        Map<String, String> names = new LinkedHashMap<>();
        for (Headers.Field field : headers) names.putIfAbsent(field.name().toLowerCase(Locale.ROOT), field.name());
        return Collections.enumeration(names.values());
    }

    @Override
    public int getIntHeader(String name) {
        String value = headers.first(name);
        return value == null ? -1 : Integer.parseInt(value);
    }

    @Override
    public long getDateHeader(String name) {
        // None of those that differ is a date.
        return headers.first(name) == null ? -1 : super.getDateHeader(name);
    }
}
