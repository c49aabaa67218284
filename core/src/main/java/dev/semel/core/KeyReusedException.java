package dev.semel.core;

/** The key was first used for another request: a mistake of the caller's. Nothing ran. Use a new key for a new request. */
public final class KeyReusedException extends SemelException {
    private static final long serialVersionUID = 1;

    KeyReusedException(String operation) {
        super("This key of '" + operation
                + "' was first used for another request. Nothing ran. A new request needs a key"
                + " of its own; a retry must be the same request.");
    }
}
