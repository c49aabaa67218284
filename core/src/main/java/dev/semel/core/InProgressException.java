package dev.semel.core;

import java.time.Duration;

/** Another attempt of the same operation runs, and did not end in time. Nothing ran here: ask again later, with the same key. */
public final class InProgressException extends SemelException {
    private static final long serialVersionUID = 1;

    private final Duration retryAfter;

    InProgressException(String operation, Duration retryAfter) {
        super("Another attempt of '" + operation + "' with this key is running. Ask again in about "
                + Math.max(1, retryAfter.toSeconds()) + " s, with the same key.");
        this.retryAfter = retryAfter;
    }

    /** When it pays to ask again. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
