package dev.semel.torture.ledger;

import dev.semel.torture.Digest;
import dev.semel.torture.history.Event;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One line of the ledger: it was asked to act, and did, or refused to.
 *
 * @param at nanoseconds on the clock of the run
 * @param effect the name of the answer, unique to an effect; a repeat that is answered like the first has its name
 */
record Entry(long at, String key, int payload, long token, int attempt, boolean accepted, String effect) {

    byte[] body() {
        return String.format(Locale.ROOT, "{\"key\":\"%s\",\"payload\":%d,\"effect\":\"%s\"}", key, payload, effect)
                .getBytes(StandardCharsets.UTF_8);
    }

    String line() {
        return at + " " + key + " " + payload + " " + token + " " + attempt + " " + (accepted ? "done" : "refused")
                + " " + effect + "\n";
    }

    /** Null for a line that was not written to its end. */
    static @Nullable Entry parse(String line) {
        String[] parts = line.split(" ", -1);
        if (parts.length != 7) return null;
        return new Entry(
                Long.parseLong(parts[0]),
                parts[1],
                Integer.parseInt(parts[2]),
                Long.parseLong(parts[3]),
                Integer.parseInt(parts[4]),
                parts[5].equals("done"),
                parts[6]);
    }

    Event.Effect event() {
        return new Event.Effect(at, key, payload, token, attempt, accepted, Digest.of(body()));
    }
}
