package dev.semel.http;

import dev.semel.core.key.Outcome;
import java.nio.charset.StandardCharsets;

/**
 * Writes a JSON value as the outcome of a key, and reads it back as it was given, white space included.
 *
 * <p>Format 2: one byte 2, then the JSON text in UTF-8. {@link ResponseCodec} has format 1: the first byte tells which
 * of the two an outcome is.
 */
public final class JsonOutcome {
    static final int FORMAT = 2;

    private JsonOutcome() {}

    /** @param json one JSON value; nobody checks it here */
    public static Outcome of(String json) {
        byte[] utf8 = json.getBytes(StandardCharsets.UTF_8);
        byte[] bytes = new byte[utf8.length + 1];
        bytes[0] = FORMAT;
        System.arraycopy(utf8, 0, bytes, 1, utf8.length);
        return Outcome.of(bytes, 1);
    }

    public static boolean isJson(Outcome outcome) {
        return !outcome.isShredded() && outcome.bytes().length > 1 && outcome.bytes()[0] == FORMAT;
    }

    /** Whether there was a JSON value that can no longer be read. */
    public static boolean isShredded(Outcome outcome) {
        return outcome.isShredded() && outcome.bytes().length == 1 && outcome.bytes()[0] == FORMAT;
    }

    /** The JSON text, as it was given. */
    public static String text(Outcome outcome) {
        if (!isJson(outcome)) throw new UnreadableOutcomeException("The recorded outcome is not JSON.");
        return new String(outcome.bytes(), 1, outcome.bytes().length - 1, StandardCharsets.UTF_8);
    }
}
