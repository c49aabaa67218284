package dev.semel.client.ledger;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Everything that is needed to send a request again, but for its secrets.
 *
 * @param headers without {@code Idempotency-Key}, and without secrets, which are supplied anew for every try; names in
 *     any letter case
 */
public record Call(String method, URI uri, Map<String, List<String>> headers, byte[] body) {
    public Call {
        Map<String, List<String>> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> sorted.put(name, List.copyOf(values)));
        headers = Collections.unmodifiableMap(sorted);
    }

    /**
     * SHA-256 of method, URI, content type and body. Two calls with the same digest are the same request; other headers,
     * such as those of tracing, may differ.
     */
    public byte[] digest() {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            for (String part : List.of(method, uri.toString(), String.valueOf(headers.get("Content-Type")))) {
                byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                sha256.update(
                        ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
                sha256.update(bytes);
            }
            return sha256.digest(body);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }

    /** Without headers and body, which are nobody's business in a log. */
    @Override
    public String toString() {
        return method + " " + uri + " (" + body.length + " bytes)";
    }
}
