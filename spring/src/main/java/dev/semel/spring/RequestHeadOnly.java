package dev.semel.spring;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request whose handler is looked for: its body stays unread, so that its parameters are those of the query; and what the
 * search notes in it stays here.
 */
final class RequestHeadOnly extends HttpServletRequestWrapper {
    private static final String UNREAD = "The handler of a request with an idempotency key is found without its body.";

    private final Map<String, @Nullable Object> own = new HashMap<>();
    private @Nullable Map<String, String[]> parameters;

    RequestHeadOnly(HttpServletRequest request) {
        super(request);
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        if (parameters == null) parameters = parse(getQueryString());
        return parameters;
    }

    private static Map<String, String[]> parse(@Nullable String query) {
        Map<String, String[]> all = new LinkedHashMap<>();
        if (query == null) return all;
        for (String field : query.split("&", -1)) {
            int equals = field.indexOf('=');
            String name = decoded(equals < 0 ? field : field.substring(0, equals));
            String value = equals < 0 ? "" : decoded(field.substring(equals + 1));
            if (!field.isEmpty()) all.merge(name, new String[] {value}, RequestHeadOnly::joined);
        }
        return all;
    }

    private static String[] joined(String[] before, String[] more) {
        String[] all = Arrays.copyOf(before, before.length + more.length);
        System.arraycopy(more, 0, all, before.length, more.length);
        return all;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    @Override
    public @Nullable String getParameter(String name) {
        String[] values = getParameterMap().get(name);
        return values == null ? null : values[0];
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        return getParameterMap().get(name);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(getParameterMap().keySet());
    }

    @Override
    public ServletInputStream getInputStream() {
        throw new IllegalStateException(UNREAD);
    }

    @Override
    public BufferedReader getReader() {
        throw new IllegalStateException(UNREAD);
    }

    @Override
    public Collection<Part> getParts() {
        throw new IllegalStateException(UNREAD);
    }

    @Override
    public Part getPart(String name) {
        throw new IllegalStateException(UNREAD);
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return own.containsKey(name) ? own.get(name) : super.getAttribute(name);
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        own.put(name, value);
    }

    @Override
    public void removeAttribute(String name) {
        own.put(name, null);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        Set<String> names = new LinkedHashSet<>(own.keySet());
        super.getAttributeNames().asIterator().forEachRemaining(names::add);
        names.removeIf(name -> getAttribute(name) == null);
        return Collections.enumeration(names);
    }
}
