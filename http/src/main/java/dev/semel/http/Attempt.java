package dev.semel.http;

import java.util.function.BooleanSupplier;

/**
 * The one attempt that was let through.
 *
 * @param token only grows from attempt to attempt of a key; goes upstream as {@code Semel-Fencing-Token}; zero for a
 *     request without a key, which has none
 * @param number 1 for the first attempt of a key; goes upstream as {@code Semel-Attempt}
 * @param key the key, for an upstream that was not sent it by the client; empty for a request without one
 * @param stillHeld to be asked right before the first byte is sent: false when the attempt has been overtaken by time
 */
public record Attempt(long token, int number, String key, BooleanSupplier stillHeld) {
    static final Attempt WITHOUT_KEY = new Attempt(0, 1, "", () -> true);

    public boolean hasKey() {
        return token > 0;
    }
}
