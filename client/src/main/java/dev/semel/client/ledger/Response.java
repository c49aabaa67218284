package dev.semel.client.ledger;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An answer of a server.
 *
 * @param headers names in any letter case. What a ledger gives back has no secrets, such as {@code Set-Cookie}
 * @param whole whether this is the whole body of the first answer: false where it was longer than what this client
 *     reads, and where the server no longer had it ({@code response-not-kept})
 */
public record Response(int status, Map<String, List<String>> headers, byte[] body, boolean whole) {
    public Response {
        Map<String, List<String>> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> sorted.put(name, List.copyOf(values)));
        headers = Collections.unmodifiableMap(sorted);
    }

    /** The first value of that header. */
    public Optional<String> header(String name) {
        List<String> values = headers.get(name);
        return values == null || values.isEmpty() ? Optional.empty() : Optional.of(values.getFirst());
    }

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** The same as it may be written down. */
    public Response withoutSecrets() {
        Map<String, List<String>> kept = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> {
            if (!Secrets.isSecret(name)) kept.put(name, values);
        });
        return new Response(status, kept, body, whole);
    }

    @Override
    public String toString() {
        return status + " (" + body.length + " bytes)";
    }
}
