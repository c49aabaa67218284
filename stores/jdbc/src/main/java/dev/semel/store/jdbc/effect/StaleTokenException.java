package dev.semel.store.jdbc.effect;

/** A {@link Fence} was asked to let a token pass after a higher one. Nothing was written; whoever has the higher token goes on. */
public final class StaleTokenException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final long lastToken;

    StaleTokenException(String fence, String resource, long token, long lastToken) {
        super("Token " + token + " comes too late for '" + resource + "' of fence '" + fence + "': token " + lastToken
                + " has passed already. Another run has taken over; give this one up and roll back.");
        this.lastToken = lastToken;
    }

    /** The highest token that has passed. */
    public long lastToken() {
        return lastToken;
    }
}
