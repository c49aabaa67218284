package dev.semel.http;

/** What an answer of the upstream says about the operation, and so what becomes of its key. */
public enum StatusClass {
    /** The operation ran: the answer is recorded and replayed. */
    STORE,
    /** The operation is known not to have run: the key is free for the next attempt. */
    RELEASE,
    /** The operation may or may not have run. */
    DOUBT
}
