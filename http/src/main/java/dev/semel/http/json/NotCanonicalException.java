package dev.semel.http.json;

import java.io.IOException;

/** Well-formed, and yet without a canonical form. Travels beside the parser's own exceptions; never leaves the package. */
final class NotCanonicalException extends IOException {
    NotCanonicalException(String why) {
        super(why);
    }

    /** Thrown for what clients send, so it must be cheap. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
