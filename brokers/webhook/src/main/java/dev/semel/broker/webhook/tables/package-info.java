/** The tables of webhooks in PostgreSQL. */
@NullMarked
package dev.semel.broker.webhook.tables;

import org.jspecify.annotations.NullMarked;
