package dev.semel.messaging.relay;

import dev.semel.messaging.broker.ShardLease;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What happens in a relay, for metrics and logs. No event holds a payload, a key or a header. */
public sealed interface RelayEvent {
    /**
     * The broker has these messages, and they are deleted.
     *
     * @param oldest how long the oldest of them had been waiting, by this machine's clock; null for dead letters
     */
    record Sent(int messages, @Nullable Duration oldest) implements RelayEvent {}

    /** A message could not be sent, and is tried again. */
    record Retried(UUID message, String topic, String reason) implements RelayEvent {}

    /** A message is a dead letter now; what follows it with the same key waits behind it. */
    record Parked(UUID message, String topic, String kind, String error) implements RelayEvent {}

    /** So many messages wait behind dead letters of their keys. */
    record Trailing(int messages) implements RelayEvent {}

    /** The broker cannot be reached: all waits. */
    record BrokerAway(int shard, String reason) implements RelayEvent {}

    /** The database cannot be reached: all waits. */
    record DatabaseAway(String reason) implements RelayEvent {}

    /**
     * Something went wrong that should not: a defect of a broker, a driver or the relay. It goes on, and gives up what it had; its
     * shards are taken again when their leases have ended.
     */
    record Failed(String what, Throwable failure) implements RelayEvent {}

    record LeaseTaken(ShardLease lease) implements RelayEvent {}

    /** It was given up, so that another relay can have it. */
    record LeaseGivenBack(ShardLease lease) implements RelayEvent {}

    /** Another relay has the shard now, or may have it. What was sent last may be sent once more. */
    record LeaseLost(ShardLease lease) implements RelayEvent {}

    /** Hears of them, on the threads of the relay: must return soon. */
    @FunctionalInterface
    interface Listener {
        void on(RelayEvent event);

        Listener NONE = event -> {};

        /** The same, but what it throws does not reach the relay. */
        default Listener quiet() {
            return event -> {
                try {
                    on(event);
                } catch (RuntimeException e) {
                    System.getLogger(RelayEvent.class.getName())
                            .log(System.Logger.Level.WARNING, "A listener failed", e);
                }
            };
        }
    }
}
