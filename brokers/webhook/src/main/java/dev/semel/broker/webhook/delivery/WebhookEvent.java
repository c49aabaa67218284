package dev.semel.broker.webhook.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** What happens to webhooks, for metrics and logs. No event holds a payload, a key, a header, a secret or a URL. */
public sealed interface WebhookEvent {
    /** The endpoint has taken a message. */
    record Delivered(UUID endpoint, UUID message, int attempts, Duration took) implements WebhookEvent {}

    /**
     * It has not, and the message is sent again.
     *
     * @param kind one word
     */
    record Failed(UUID endpoint, UUID message, int attempts, String kind, String reason, Instant nextAt)
            implements WebhookEvent {}

    /** It has not, and the message is not sent again unless somebody says so. */
    record Died(UUID endpoint, UUID message, int attempts, String kind, String reason) implements WebhookEvent {}

    /** So many deliveries became too old while they could not be sent at all. */
    record Expired(int deliveries) implements WebhookEvent {}

    /** It has failed too often in a row: it is left alone for a while. */
    record BreakerOpened(UUID endpoint, int failures, Instant until) implements WebhookEvent {}

    /** It takes messages again. */
    record BreakerClosed(UUID endpoint) implements WebhookEvent {}

    /** Nothing is sent to it any more until somebody enables it. */
    record EndpointDisabled(UUID endpoint, String reason) implements WebhookEvent {}

    /** Its secrets cannot be read here, or its URL is not allowed: nothing is sent. */
    record EndpointUnusable(UUID endpoint, String reason) implements WebhookEvent {}

    /** What was sent could not be written down in time: it may be sent once more, with the same id. */
    record LeaseLost(UUID endpoint, UUID message) implements WebhookEvent {}

    /** The database does not answer: all waits. */
    record DatabaseAway(String reason) implements WebhookEvent {}

    /** Something went wrong that should not. The sender goes on. */
    record Defect(String what, Throwable failure) implements WebhookEvent {}

    /** Hears of them, on the threads of the sender: must return soon. */
    @FunctionalInterface
    interface Listener {
        void on(WebhookEvent event);

        Listener NONE = event -> {};

        /** The same, but what it throws does not reach the sender. */
        default Listener quiet() {
            return event -> {
                try {
                    on(event);
                } catch (RuntimeException e) {
                    System.getLogger(WebhookEvent.class.getName())
                            .log(System.Logger.Level.WARNING, "A listener failed", e);
                }
            };
        }
    }
}
