package dev.semel.testkit.messaging;

import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.memory.MemoryBroker;
import dev.semel.messaging.message.CloudEvent;
import dev.semel.messaging.message.OutgoingMessage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

class MemoryBrokerTest extends BrokerContract {
    private final MemoryBroker broker = new MemoryBroker();
    private final Set<String> topics = new HashSet<>();
    private final Set<String> small = new HashSet<>();
    private int shards;

    @BeforeEach
    void refuseAsAServerWould() {
        broker.refuse(this::refusal);
    }

    private @Nullable Delivery refusal(OutgoingMessage message) {
        if (!topics.contains(message.topic()))
            return new Delivery.Retry("there is no topic " + message.topic(), Delivery.Cause.MESSAGE);
        return small.contains(message.topic()) && message.payload().length >= tooLarge()
                ? new Delivery.Dead("too-large", "it is too large")
                : null;
    }

    @Override
    protected Broker broker() {
        return broker;
    }

    @Override
    protected int newShard() {
        return shards++;
    }

    @Override
    protected String newName() {
        return "t-" + UUID.randomUUID();
    }

    @Override
    protected void create(String topic) {
        topics.add(topic);
    }

    @Override
    protected void createSmall(String topic) {
        topics.add(topic);
        small.add(topic);
    }

    @Override
    protected int tooLarge() {
        return 100_000;
    }

    @Override
    protected List<ArrivedMessage> arrived(String topic, int atLeast) {
        return broker.taken().stream()
                .filter(message -> message.topic().equals(topic))
                .map(message -> new ArrivedMessage(
                        message.key(), CloudEvent.attributes(message, SOURCE), message.headers(), message.payload()))
                .toList();
    }

    @Override
    protected void pause() {
        broker.setAway(true);
    }

    @Override
    protected void resume() {
        broker.setAway(false);
    }
}
