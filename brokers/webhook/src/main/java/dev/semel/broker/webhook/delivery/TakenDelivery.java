package dev.semel.broker.webhook.delivery;

import dev.semel.broker.webhook.endpoint.Endpoint;
import dev.semel.messaging.message.OutgoingMessage;
import java.time.Instant;

/**
 * A delivery that this sender has the lease of.
 *
 * @param lease its number: whoever takes the delivery later has a greater one
 * @param attempts before this one
 * @param probe whether it is the one that is tried while the breaker of its endpoint is open
 */
record TakenDelivery(
        Endpoint endpoint, OutgoingMessage message, long lease, int attempts, Instant createdAt, boolean probe) {}
