package dev.semel.servlet;

import dev.semel.http.Headers;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The headers of a response that is held back. */
final class CapturedHead {
    private final HttpServletResponse client;
    private final CapturedType type;
    private final List<Headers.Field> fields = new ArrayList<>();

    /** @param charset in which text is written when nobody says otherwise */
    CapturedHead(HttpServletResponse client, String charset) {
        this(client, new CapturedType(charset), List.of());
    }

    private CapturedHead(HttpServletResponse client, CapturedType type, List<Headers.Field> fields) {
        this.client = client;
        this.type = type;
        this.fields.addAll(fields);
    }

    CapturedHead copy() {
        return new CapturedHead(client, type.copy(), fields);
    }

    void clear() {
        fields.clear();
        type.clear();
    }

    Headers fields() {
        Headers all = Headers.of(fields);
        String contentType = type.header();
        return contentType == null ? all : all.with("Content-Type", contentType);
    }

    /** @param value null to have none */
    void set(String name, @Nullable String value) {
        if (name.equalsIgnoreCase("Content-Type")) {
            type.set(value);
            return;
        }
        check(name, value);
        fields.removeIf(field -> field.name().equalsIgnoreCase(name));
        if (value != null) fields.add(new Headers.Field(name, value));
    }

    void add(String name, @Nullable String value) {
        if (value == null) return;
        if (name.equalsIgnoreCase("Content-Type")) {
            type.set(value);
            return;
        }
        check(name, value);
        fields.add(new Headers.Field(name, value));
    }

    /** What could not be sent is not recorded: it would break every replay. */
    private static void check(String name, @Nullable String value) {
        if (name.isEmpty() || !name.chars().allMatch(c -> c > ' ' && c < 0x7f && c != ':'))
            throw new IllegalArgumentException("That is not the name of a header.");
        if (value == null) return;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f || c > 0xff)
                throw new IllegalArgumentException("The header " + name + " holds a character that cannot be sent.");
        }
    }

    /** As the application sees them: its own, or else those of the filters before. */
    Collection<String> seen(String name) {
        if (name.equalsIgnoreCase("Content-Type")) {
            String contentType = type.header();
            return contentType == null ? List.of() : List.of(contentType);
        }
        List<String> own = Headers.of(fields).all(name);
        return own.isEmpty() ? client.getHeaders(name) : own;
    }

    void setContentType(@Nullable String value) {
        type.set(value);
    }

    @Nullable
    String contentType() {
        return type.header();
    }

    void setCharset(@Nullable String charset) {
        type.setCharset(charset);
    }

    String charset() {
        return type.charset();
    }

    /** The charset, which cannot be changed any more. */
    String fixCharset() {
        return type.fixCharset();
    }

    void freeCharset() {
        type.freeCharset();
    }
}
