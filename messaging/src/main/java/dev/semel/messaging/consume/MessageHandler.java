package dev.semel.messaging.consume;

import java.sql.Connection;

/** What a message brings about. */
@FunctionalInterface
public interface MessageHandler {
    /**
     * Called once for each message, as far as its transaction commits: what it writes by this connection is there together with
     * the note that the message was received, or neither is. It neither commits nor rolls back. What it does elsewhere may happen
     * again.
     *
     * @throws RejectedMessageException when the message will never be handled
     * @throws Exception when it may be handled at another time: nothing of it is kept
     */
    void handle(Connection transaction, IncomingMessage message) throws Exception;
}
