package dev.semel.testkit.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request as data. {@code {key}}, {@code {host}} and {@code {scenario}} in the target and in header values stand for
 * what a run fills in. Host and Content-Length are added where the headers do not name them. Immutable.
 *
 * @param body null for none
 * @param chunkSize 0 to announce the length; otherwise the body goes in chunks of that size
 */
public record RawRequest(String method, String target, Fields headers, byte @Nullable [] body, int chunkSize) {

    public static RawRequest get(String target) {
        return new RawRequest("GET", target, Fields.NONE, null, 0);
    }

    public static RawRequest post(String target) {
        return new RawRequest("POST", target, Fields.NONE, new byte[0], 0);
    }

    /** The request that most scenarios are about. */
    public static RawRequest charge(String target) {
        return post(target).key("{key}").json("{\"amount\":1250,\"currency\":\"EUR\"}");
    }

    public RawRequest withMethod(String other) {
        return new RawRequest(other, target, headers, body, chunkSize);
    }

    public RawRequest to(String otherTarget) {
        return new RawRequest(method, otherTarget, headers, body, chunkSize);
    }

    public RawRequest header(String name, String value) {
        return new RawRequest(method, target, headers.with(name, value), body, chunkSize);
    }

    public RawRequest without(String name) {
        Fields kept = Fields.NONE;
        for (Fields.Field field : headers)
            if (!field.name().equalsIgnoreCase(name)) kept = kept.with(field.name(), field.value());
        return new RawRequest(method, target, kept, body, chunkSize);
    }

    /** Instead of any key it has. */
    public RawRequest key(String value) {
        return without("Idempotency-Key").header("Idempotency-Key", value);
    }

    public RawRequest noKey() {
        return without("Idempotency-Key");
    }

    /** Sent by a tenant of this scenario, who shows a secret of its own. */
    public RawRequest by(String tenant) {
        return header("X-Api-Key", "{scenario}-" + tenant);
    }

    public RawRequest json(String text) {
        return body("application/json", text.getBytes(StandardCharsets.UTF_8));
    }

    public RawRequest body(String contentType, byte[] bytes) {
        Fields typed = without("Content-Type").headers.with("Content-Type", contentType);
        return new RawRequest(method, target, typed, bytes, chunkSize);
    }

    public RawRequest inChunksOf(int size) {
        return new RawRequest(method, target, headers, body, size);
    }

    /** With the names in braces replaced. */
    public RawRequest filledIn(Map<String, String> names) {
        Fields filled = Fields.NONE;
        for (Fields.Field field : headers) filled = filled.with(field.name(), fill(field.value(), names));
        return new RawRequest(method, fill(target, names), filled, body, chunkSize);
    }

    static String fill(String text, Map<String, String> names) {
        for (Map.Entry<String, String> name : names.entrySet())
            text = text.replace("{" + name.getKey() + "}", name.getValue());
        return text;
    }

    /** The head alone. */
    public byte[] head() {
        StringBuilder head =
                new StringBuilder(method).append(' ').append(target).append(" HTTP/1.1\r\n");
        if (!headers.has("Host")) head.append("Host: localhost\r\n");
        for (Fields.Field field : headers) head.append(field).append("\r\n");
        if (body != null && chunkSize > 0) head.append("Transfer-Encoding: chunked\r\n");
        else if (body != null && !headers.has("Content-Length"))
            head.append("Content-Length: ").append(body.length).append("\r\n");
        return Wire.latin1(head.append("\r\n").toString());
    }

    /** Everything that goes over the wire. */
    public byte[] bytes() {
        Bytes all = new Bytes();
        all.add(head());
        if (body != null && chunkSize > 0) chunks(body, chunkSize, all);
        else if (body != null) all.add(body);
        return all.all();
    }

    static void chunks(byte[] body, int size, Bytes to) {
        for (int from = 0; from < body.length; from += size) {
            int length = Math.min(size, body.length - from);
            to.add(Wire.latin1(Integer.toHexString(length) + "\r\n"));
            to.add(java.util.Arrays.copyOfRange(body, from, from + length));
            to.add(Wire.latin1("\r\n"));
        }
        to.add(Wire.latin1("0\r\n\r\n"));
    }

    @Override
    public String toString() {
        return method + " " + target + " " + headers;
    }
}
