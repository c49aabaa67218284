package dev.semel.core;

import java.time.Instant;

/** The operation ran long ago, and its outcome is no longer kept. It did not run again. */
public final class KeySpentException extends SemelException {
    private static final long serialVersionUID = 1;

    private final Instant doneAt;

    KeySpentException(String operation, Instant doneAt) {
        super("'" + operation + "' has run with this key, at " + doneAt
                + ", and its outcome is no longer kept. It did not"
                + " run again. Look the result up where it took effect.");
        this.doneAt = doneAt;
    }

    /** When it ran. */
    public Instant doneAt() {
        return doneAt;
    }
}
