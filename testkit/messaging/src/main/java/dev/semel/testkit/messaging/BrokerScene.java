package dev.semel.testkit.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.message.OutgoingMessage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a broker's test says about it, and messages to send. */
public abstract class BrokerScene {
    /** What every broker of a contract has to be opened with. */
    protected static final String SOURCE = "/contract";

    /** The broker, which all tests share and none of them closes. */
    protected abstract Broker broker();

    /** A shard that no other test uses. */
    protected abstract int newShard();

    /** The name of a topic that does not exist. */
    protected abstract String newName();

    /** Makes a topic, or whatever this broker needs for messages of this topic to arrive. */
    protected abstract void create(String topic) throws Exception;

    /** Makes one that takes payloads of a few kilobytes and none of {@link #tooLarge}. */
    protected abstract void createSmall(String topic) throws Exception;

    /** So many bytes are too many for a topic that is small. */
    protected abstract int tooLarge();

    /** All that has arrived at this topic, in its order, and so many messages at least: they are waited for. */
    protected abstract List<ArrivedMessage> arrived(String topic, int atLeast) throws Exception;

    /** The broker does not answer until it {@linkplain #resume resumes}, but its connections stay open. */
    protected abstract void pause() throws Exception;

    protected abstract void resume() throws Exception;

    /** Whether the broker takes nothing from the publisher of an older lease when a newer one was opened. */
    protected boolean fences() {
        return true;
    }

    /** Whether a topic that does not exist is noticed. */
    protected boolean knowsTopics() {
        return true;
    }

    protected final String newTopic() throws Exception {
        String topic = newName();
        create(topic);
        return topic;
    }

    protected final ShardLease newLease() {
        return new ShardLease(newShard(), 1);
    }

    protected static OutgoingMessage message(String topic, @Nullable String key, int body) {
        return message(topic, key, Integer.toString(body).getBytes(UTF_8), Map.of());
    }

    protected static OutgoingMessage message(
            String topic, @Nullable String key, byte[] payload, Map<String, String> headers) {
        return new OutgoingMessage(
                UUID.randomUUID(),
                topic,
                key,
                "order.paid",
                headers,
                payload,
                Instant.now().truncatedTo(ChronoUnit.MICROS));
    }

    protected static String body(ArrivedMessage message) {
        return new String(message.payload(), UTF_8);
    }

    protected static void assertAllSent(List<Delivery> deliveries) {
        for (Delivery delivery : deliveries) assertInstanceOf(Delivery.Sent.class, delivery);
    }

    /** The bodies that arrived with this key are these, in this order. */
    protected static void assertArrived(List<ArrivedMessage> arrived, String key, Object... bodies) {
        assertEquals(
                List.of(bodies).stream().map(String::valueOf).toList(),
                arrived.stream()
                        .filter(message -> key.equals(message.key()))
                        .map(BrokerScene::body)
                        .toList());
    }
}
