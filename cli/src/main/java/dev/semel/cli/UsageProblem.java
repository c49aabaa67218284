package dev.semel.cli;

/** The command line or the configuration is wrong; the message says how. */
final class UsageProblem extends RuntimeException {
    private static final long serialVersionUID = 1;

    UsageProblem(String message) {
        super(message);
    }
}
