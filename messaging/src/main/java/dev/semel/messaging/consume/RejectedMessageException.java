package dev.semel.messaging.consume;

/** Thrown by a handler: this message will not be handled, however often it comes. It becomes a dead letter at once. */
public final class RejectedMessageException extends Exception {
    public RejectedMessageException(String message) {
        super(message);
    }

    public RejectedMessageException(String message, Throwable cause) {
        super(message, cause);
    }
}
