package dev.semel.spring.messaging;

/** Messages cannot be kept or sent as the application is set up, or appended where they were. Nothing was written. */
public final class OutboxMisuseException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    OutboxMisuseException(String problem) {
        super(problem);
    }

    OutboxMisuseException(String problem, Throwable cause) {
        super(problem, cause);
    }
}
