/** One request to an address that somebody else has chosen. */
@NullMarked
package dev.semel.broker.webhook.http;

import org.jspecify.annotations.NullMarked;
