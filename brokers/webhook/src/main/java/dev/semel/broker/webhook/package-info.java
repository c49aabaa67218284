/** Messages to HTTP endpoints of others, by Standard Webhooks. */
@NullMarked
package dev.semel.broker.webhook;

import org.jspecify.annotations.NullMarked;
