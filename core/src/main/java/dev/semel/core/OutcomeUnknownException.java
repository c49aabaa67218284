package dev.semel.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The operation may or may not have run, and nobody can tell yet. Do not run it again under another key. Ask again later with the same key, or find out and say what happened. */
public final class OutcomeUnknownException extends SemelException {
    private static final long serialVersionUID = 1;

    private final @Nullable Duration retryAfter;

    OutcomeUnknownException(String operation, String reason, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        super("Nobody can tell yet whether '" + operation + "' has run: " + reason
                + ". Do not run it under another key; ask again later with this one, or find out what happened and"
                + " resolve it.");
        this.retryAfter = retryAfter;
        if (cause != null) initCause(cause);
    }

    /** When it pays to ask again; null when someone has to find out first. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }
}
