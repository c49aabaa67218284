package dev.semel.core;

import java.time.Duration;

/** The tenant has used up a quota. Nothing ran: ask again later, with the same key. */
public final class QuotaExceededException extends SemelException {
    private static final long serialVersionUID = 1;

    private final Duration retryAfter;

    QuotaExceededException(String operation, String quota, Duration retryAfter) {
        super("'" + operation + "' was refused: the quota '" + quota
                + "' of this tenant is used up. Nothing ran. Ask again" + " later, with the same key.");
        this.retryAfter = retryAfter;
    }

    /** When it pays to ask again. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
