/** A message on its way to one endpoint: when it is sent, and what follows from the answer. */
@NullMarked
package dev.semel.broker.webhook.delivery;

import org.jspecify.annotations.NullMarked;
