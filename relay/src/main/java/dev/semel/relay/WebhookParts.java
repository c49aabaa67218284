package dev.semel.relay;

import dev.semel.broker.webhook.endpoint.SecretSeal;
import javax.sql.DataSource;

/**
 * What the broker of webhooks needs beside its URL.
 *
 * @param database that of the outbox
 */
record WebhookParts(DataSource database, SecretSeal seal, WebhookReport report) {}
