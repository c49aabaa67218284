package dev.semel.torture.messages;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.semel.torture.messages.check.Committed;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Payloads that say which message they are of, and have any length. */
final class Payloads {
    private Payloads() {}

    static byte[] of(@Nullable String key, long number, int length) {
        byte[] body = Committed.body(key, number).getBytes(US_ASCII);
        byte[] payload = Arrays.copyOf(body, Math.max(length, body.length));
        Arrays.fill(payload, body.length, payload.length, (byte) '.');
        return payload;
    }

    /** Up to the second stroke; all of it when there is none. */
    static String body(byte @Nullable [] payload) {
        if (payload == null) return "";
        int strokes = 0;
        int end = 0;
        while (end < payload.length && strokes < 2) if (payload[end++] == '|') strokes++;
        return new String(payload, 0, end, US_ASCII);
    }
}
