package dev.semel.http;

/**
 * A recorded outcome that is not a response as this version of Semel writes them: damaged, written by a newer version,
 * or recorded by somebody else. The operation has run; only its answer cannot be told.
 */
public final class UnreadableOutcomeException extends RuntimeException {
    UnreadableOutcomeException(String why) {
        super(why);
    }
}
