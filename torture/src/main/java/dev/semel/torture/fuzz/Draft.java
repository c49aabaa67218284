package dev.semel.torture.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A request that is being made, with its parts apart so that each can be spoiled. For one thread. */
final class Draft {
    String method = "GET";
    String target = "/fuzz/hello";
    String version = "HTTP/1.1";
    final List<String> headers = new ArrayList<>(List.of("Host: localhost"));
    byte[] body = {};

    /** Otherwise the body has a length. */
    boolean chunked;

    void key(String key) {
        headers.add("Idempotency-Key: " + key);
    }

    void json(String text) {
        headers.add("Content-Type: application/json");
        body = text.getBytes(StandardCharsets.UTF_8);
    }

    byte[] bytes(int chunkSize) {
        List<String> lines = new ArrayList<>(headers);
        if (chunked) lines.add("Transfer-Encoding: chunked");
        else if (body.length > 0) lines.add("Content-Length: " + body.length);
        StringBuilder head = new StringBuilder(method + " " + target + " " + version + "\r\n");
        for (String line : lines) head.append(line).append("\r\n");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(latin1(head + "\r\n"));
        if (chunked) chunks(out, Math.max(1, chunkSize));
        else out.writeBytes(body);
        return out.toByteArray();
    }

    private void chunks(ByteArrayOutputStream out, int size) {
        for (int from = 0; from < body.length; from += size) {
            int length = Math.min(size, body.length - from);
            out.writeBytes(latin1(Integer.toHexString(length) + "\r\n"));
            out.write(body, from, length);
            out.writeBytes(latin1("\r\n"));
        }
        out.writeBytes(latin1("0\r\n\r\n"));
    }

    static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
