/** Webhooks that are received: verified, told from their duplicates, and stored before they are acknowledged. No server in sight. */
@NullMarked
package dev.semel.webhook.receive;

import org.jspecify.annotations.NullMarked;
