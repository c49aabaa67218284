package dev.semel.webhook.receive;

import java.sql.Connection;

/** Handles a webhook at once, in the transaction in which it is marked as received: both happen, or neither does. */
@FunctionalInterface
public interface WebhookHandler {
    /** @throws Exception why it could not be handled: its sender is told so, and sends it again */
    void handle(Connection transaction, IncomingWebhook webhook) throws Exception;
}
