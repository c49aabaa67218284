package dev.semel.servlet;

import jakarta.servlet.http.Cookie;
import java.util.Map;

/** A cookie as the header that sets it (RFC 6265 §4.1). */
final class SetCookie {
    private SetCookie() {}

    static String text(Cookie cookie) {
        String value = cookie.getValue() == null ? "" : cookie.getValue();
        if (!value.chars().allMatch(c -> c >= ' ' && c < 0x7f && c != ';' && c != ','))
            throw new IllegalArgumentException("The value of the cookie " + cookie.getName() + " cannot be sent.");
        StringBuilder text = new StringBuilder(cookie.getName()).append('=').append(value);
        for (Map.Entry<String, String> attribute : cookie.getAttributes().entrySet()) {
            text.append("; ").append(attribute.getKey());
            if (attribute.getValue() != null && !attribute.getValue().isEmpty())
                text.append('=').append(attribute.getValue());
        }
        return text.toString();
    }
}
