/** Where webhooks go to, and the secrets that they are signed with. */
@NullMarked
package dev.semel.broker.webhook.endpoint;

import org.jspecify.annotations.NullMarked;
