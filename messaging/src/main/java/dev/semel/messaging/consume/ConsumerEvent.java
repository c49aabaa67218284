package dev.semel.messaging.consume;

import org.jspecify.annotations.Nullable;

/** What happens in a consumer, for metrics and logs. No event holds a payload, a key or a header. */
public sealed interface ConsumerEvent {
    /** So many took effect, and so many had before. */
    record Handled(int messages, int duplicates) implements ConsumerEvent {}

    /** A handler has failed; the message is tried again. */
    record Failed(@Nullable String message, String topic, int attempt, Throwable failure) implements ConsumerEvent {}

    /** A message was put aside: it was tried as often as it may be, or can never be handled. */
    record Parked(@Nullable String message, String topic, String reason) implements ConsumerEvent {}

    /** The broker cannot be reached: all waits. */
    record BrokerAway(String reason) implements ConsumerEvent {}

    /** The database cannot be reached: all waits. */
    record DatabaseAway(String reason) implements ConsumerEvent {}

    /** Hears of them, on the threads of the consumer: must return soon. */
    @FunctionalInterface
    interface Listener {
        void on(ConsumerEvent event);

        Listener NONE = event -> {};

        /** The same, but what it throws does not reach the consumer. */
        default Listener quiet() {
            return event -> {
                try {
                    on(event);
                } catch (RuntimeException e) {
                    System.getLogger(ConsumerEvent.class.getName())
                            .log(System.Logger.Level.WARNING, "A listener failed", e);
                }
            };
        }
    }
}
