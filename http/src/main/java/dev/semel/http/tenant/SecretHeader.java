package dev.semel.http.tenant;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.http.Headers;
import dev.semel.http.tenant.TenantReading.Unknown;
import java.util.List;

/** A header in which clients send a secret of theirs, such as an API key: once, and as text of a bounded length. */
record SecretHeader(String name) {
    private static final int MAX_VALUE_BYTES = 8 * 1024;

    /** What a request sent. */
    sealed interface Reading {
        record Secret(byte[] bytes) implements Reading {}

        record Unusable(Unknown reading) implements Reading {}
    }

    Reading read(Headers headers) {
        List<String> values = headers.all(name);
        if (values.isEmpty()) return unusable("is missing");
        if (values.size() > 1) return unusable("was sent " + values.size() + " times; send it once");
        String value = values.getFirst().strip();
        if (value.isEmpty()) return unusable("is empty");
        if (value.length() > MAX_VALUE_BYTES) return unusable("is too long");
        byte[] bytes = value.getBytes(UTF_8);
        if (bytes.length > MAX_VALUE_BYTES) return unusable("is too long");
        // Half a surrogate pair becomes a question mark in UTF-8: two secrets would be one tenant.
        if (!new String(bytes, UTF_8).equals(value)) return unusable("is not text");
        return new Reading.Secret(bytes);
    }

    private Reading unusable(String what) {
        return new Reading.Unusable(unknown(what));
    }

    Unknown unknown(String what) {
        return new Unknown("The " + name + " header " + what + ". It tells whose request this is.");
    }

    /** No scheme is registered for a header of one's own; this one at least names it. */
    String challenge() {
        return "Header name=\"" + name + "\"";
    }
}
