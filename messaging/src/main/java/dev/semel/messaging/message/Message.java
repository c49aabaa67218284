package dev.semel.messaging.message;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened, to be told to others: what is {@linkplain dev.semel.messaging.Outbox#append appended} in the
 * transaction in which it happened. Everything in it is checked when it is made, so nothing that the outbox would refuse ever
 * comes near a transaction.
 *
 * <p>Immutable but for its payload, which is not copied: do not change the array afterwards.
 *
 * @param topic where it goes: a Kafka topic, a routing key, a subject, a queue
 * @param key messages of one topic with the same key arrive in the order of the transactions that appended them; null for none
 * @param type what kind of thing happened, such as {@code order.paid}
 * @param headers passed on as they are
 */
public record Message(String topic, @Nullable String key, String type, Map<String, String> headers, byte[] payload) {

    /** @throws IllegalArgumentException when something in it is not allowed; the message says what, and what is */
    public Message {
        MessageLimits.requireTopic(topic);
        if (key != null) MessageLimits.requireKey(key);
        MessageLimits.requireType(type);
        headers = Map.copyOf(headers);
        MessageLimits.requireHeaders(headers);
        MessageLimits.requirePayload(payload);
    }

    /** A message without key and headers. */
    public static Message of(String topic, String type, byte[] payload) {
        return new Message(topic, null, type, Map.of(), payload);
    }

    /** The same message, in order with all others of this topic and key. */
    public Message withKey(String key) {
        return new Message(topic, key, type, headers, payload);
    }

    /** The same message with one header more. */
    public Message withHeader(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Message(topic, key, type, more, payload);
    }
}
