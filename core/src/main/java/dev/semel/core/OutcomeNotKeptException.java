package dev.semel.core;

/** The operation ran, but its outcome cannot be given back: it was too large for the store, its encryption key is gone, or this program cannot read it. It did not run again. */
public final class OutcomeNotKeptException extends SemelException {
    private static final long serialVersionUID = 1;

    OutcomeNotKeptException(String operation, String reason) {
        super("'" + operation + "' has run with this key, but its outcome cannot be given back: " + reason
                + ". It did not run again. Look the result up where it took effect.");
    }
}
