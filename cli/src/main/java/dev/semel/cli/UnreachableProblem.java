package dev.semel.cli;

/** The gateway did not answer, or something else did. */
final class UnreachableProblem extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnreachableProblem(String message) {
        super(message);
    }
}
