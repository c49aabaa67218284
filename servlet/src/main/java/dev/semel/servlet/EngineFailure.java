package dev.semel.servlet;

/** The engine or its store failed in a way that nobody expected, which is not to be taken for a failure of the application. */
final class EngineFailure extends Exception {
    private static final long serialVersionUID = 1L;

    EngineFailure(RuntimeException cause) {
        super(cause);
    }
}
