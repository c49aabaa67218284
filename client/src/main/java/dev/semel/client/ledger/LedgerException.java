package dev.semel.client.ledger;

/** The ledger could not be read or written. Whether the write took place is not known. */
public final class LedgerException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public LedgerException(String message, Throwable cause) {
        super(message, cause);
    }

    public LedgerException(String message) {
        super(message);
    }
}
