package dev.semel.messaging.memory;

import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.OneInFlight;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.PublisherFencedException;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.message.OutgoingMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what it is sent in a list, and can be told to refuse messages or to be away. For unit tests; nothing of it outlives the
 * process. Safe for use by any thread.
 */
public final class MemoryBroker implements Broker {
    private final List<OutgoingMessage> taken = new ArrayList<>();
    private final Map<Integer, Long> epochs = new HashMap<>();
    private Function<OutgoingMessage, @Nullable Delivery> refusal = message -> null;
    private boolean away;

    /** All that it has taken, in order. */
    public synchronized List<OutgoingMessage> taken() {
        return List.copyOf(taken);
    }

    /** Answers with this instead of taking a message, where it is not null. */
    public synchronized void refuse(Function<OutgoingMessage, @Nullable Delivery> refusal) {
        this.refusal = refusal;
    }

    /** Whether it cannot be reached. */
    public synchronized void setAway(boolean away) {
        this.away = away;
    }

    @Override
    public synchronized Publisher open(ShardLease lease) {
        requireHere();
        epochs.merge(lease.shard(), lease.epoch(), Math::max);
        return new Publisher() {
            @Override
            public List<Delivery> publish(List<OutgoingMessage> messages) throws InterruptedException {
                return OneInFlight.publish(messages, wave -> take(lease, wave));
            }

            @Override
            public void close() {}
        };
    }

    private synchronized List<Delivery> take(ShardLease lease, List<OutgoingMessage> messages) {
        requireHere();
        if (epochs.getOrDefault(lease.shard(), 0L) > lease.epoch())
            throw new PublisherFencedException("Shard " + lease.shard() + " was opened by a later lease.", null);
        List<Delivery> deliveries = new ArrayList<>();
        for (OutgoingMessage message : messages) {
            Delivery refused = refusal.apply(message);
            if (refused == null) taken.add(message);
            deliveries.add(refused == null ? new Delivery.Sent() : refused);
        }
        return deliveries;
    }

    private void requireHere() {
        if (away) throw new BrokerException("The broker in memory was told to be away.", null);
    }

    @Override
    public Duration longestPublish() {
        return Duration.ofMillis(100);
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public void close() {}
}
