package dev.semel.http;

import dev.semel.core.key.Outcome;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Responses as outcomes. Format 1: version, flags, status (2), number of headers (2), per header its name and value, each
 * with its length (2 and 4), then the body to the end. Header text is ISO-8859-1, as on the wire.
 */
final class ResponseCodec {
    private static final byte VERSION = 1;
    private static final byte BODY_KEPT = 1;

    private ResponseCodec() {}

    static Outcome encode(HttpResponse response) {
        return encode(response.status(), response.headers(), response.body(), BODY_KEPT);
    }

    static Outcome encodeWithoutBody(int status, Headers headers) {
        return encode(status, headers, new byte[0], (byte) 0);
    }

    private static Outcome encode(int status, Headers headers, byte[] body, byte flags) {
        int size = 6 + body.length;
        for (Headers.Field field : headers)
            size += 6 + field.name().length() + field.value().length();
        ByteBuffer bytes = ByteBuffer.allocate(size);
        bytes.put(VERSION).put(flags).putShort((short) status).putShort((short) headers.size());
        for (Headers.Field field : headers) {
            bytes.putShort((short) field.name().length()).put(field.name().getBytes(StandardCharsets.ISO_8859_1));
            bytes.putInt(field.value().length()).put(field.value().getBytes(StandardCharsets.ISO_8859_1));
        }
        return Outcome.of(bytes.put(body).array());
    }

    /** @throws IllegalStateException when the bytes are of a newer format, or damaged */
    static StoredResponse decode(Outcome outcome) {
        ByteBuffer bytes = ByteBuffer.wrap(outcome.bytes());
        try {
            byte version = bytes.get();
            if (version != VERSION)
                throw new IllegalStateException(
                        "A stored response of format " + version + " is not one this version can read.");
            boolean kept = (bytes.get() & BODY_KEPT) != 0;
            int status = bytes.getShort() & 0xffff;
            Headers headers = headers(bytes, bytes.getShort() & 0xffff);
            byte[] body = new byte[bytes.remaining()];
            bytes.get(body);
            return new StoredResponse(new HttpResponse(status, headers, body), kept);
        } catch (BufferUnderflowException e) {
            throw new IllegalStateException("A stored response is damaged: it ends too early.", e);
        }
    }

    private static Headers headers(ByteBuffer bytes, int count) {
        List<Headers.Field> fields = new ArrayList<>();
        for (int i = 0; i < count; i++)
            fields.add(new Headers.Field(text(bytes, bytes.getShort() & 0xffff), text(bytes, bytes.getInt())));
        return Headers.of(fields);
    }

    private static String text(ByteBuffer bytes, int length) {
        if (length < 0 || length > bytes.remaining()) throw new BufferUnderflowException();
        byte[] text = new byte[length];
        bytes.get(text);
        return new String(text, StandardCharsets.ISO_8859_1);
    }
}
