package dev.semel.http;

import dev.semel.core.key.Outcome;
import java.nio.charset.StandardCharsets;

/** Writes a JSON value as the outcome of a key, and reads it back as it was given, white space included. */
public final class JsonOutcome {
    private JsonOutcome() {}

    /** @param json one JSON value; nobody checks it here */
    public static Outcome of(String json) {
        return Outcome.of(Outcome.Format.JSON, json.getBytes(StandardCharsets.UTF_8), 0);
    }

    public static boolean isJson(Outcome outcome) {
        return outcome.format() == Outcome.Format.JSON && !outcome.isShredded() && outcome.readable().length > 1;
    }

    /** Whether there was a JSON value that can no longer be read. */
    public static boolean isShredded(Outcome outcome) {
        return outcome.format() == Outcome.Format.JSON && outcome.isShredded();
    }

    /** The JSON text, as it was given. */
    public static String text(Outcome outcome) {
        if (!isJson(outcome)) throw new UnreadableOutcomeException("The recorded outcome is not JSON.");
        return new String(outcome.readable(), 1, outcome.readable().length - 1, StandardCharsets.UTF_8);
    }
}
