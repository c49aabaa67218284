package dev.semel.client;

import dev.semel.client.ledger.Response;

/** What became of sending a request one time. */
sealed interface Try {
    /** A whole answer came. */
    record Answered(Response response) implements Try {}

    /** Certainly not one byte of the request was sent: there was no connection. */
    record NotSent(Exception failure) implements Try {}

    /** It was sent, or may have been, and no whole answer came. */
    record NoAnswer(Exception failure) implements Try {}

    /** There were no credentials for it, so nothing was sent. */
    record NoCredentials(Exception failure) implements Try {}

    /** The thread was interrupted while it waited for the answer. */
    record Interrupted(InterruptedException failure) implements Try {}
}
