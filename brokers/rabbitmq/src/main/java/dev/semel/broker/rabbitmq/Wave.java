package dev.semel.broker.rabbitmq;

import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.message.OutgoingMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are sent on one channel without waiting for each other, and what RabbitMQ has said of each so far. Guarded by the
 * lock of its channel while it is being sent.
 */
final class Wave {
    private final List<OutgoingMessage> messages;
    private final @Nullable Delivery[] deliveries;

    /** The places of those that were sent and not answered, by the number that the channel gave them. */
    private final TreeMap<Long, Integer> unconfirmed = new TreeMap<>();

    /** Those that came back, by id: a confirm follows, and means no more than that it was dealt with. */
    private final Map<String, Delivery> returned = new HashMap<>();

    Wave(List<OutgoingMessage> messages) {
        this.messages = messages;
        this.deliveries = new Delivery[messages.size()];
    }

    int size() {
        return messages.size();
    }

    OutgoingMessage message(int place) {
        return messages.get(place);
    }

    void sending(long number, int place) {
        unconfirmed.put(number, place);
    }

    /** Nothing of it has left this machine. */
    void notSent(long number, int place, Delivery why) {
        unconfirmed.remove(number);
        deliveries[place] = why;
    }

    void cameBack(String id, Delivery why) {
        returned.put(id, why);
    }

    /** @param andBelow whether all numbers below are meant too */
    void confirmed(long number, boolean andBelow) {
        answered(number, andBelow, new Delivery.Sent());
    }

    void refused(long number, boolean andBelow, Delivery why) {
        answered(number, andBelow, why);
    }

    private void answered(long number, boolean andBelow, Delivery answer) {
        Map<Long, Integer> meant =
                andBelow ? unconfirmed.headMap(number, true) : unconfirmed.subMap(number, true, number, true);
        meant.values().forEach(place -> {
            Delivery back = returned.get(messages.get(place).id().toString());
            deliveries[place] = back == null ? answer : back;
        });
        meant.clear();
    }

    boolean isAnswered() {
        return unconfirmed.isEmpty();
    }

    /** Null when nothing is known of it: it was not sent, or may be there or not. */
    @Nullable
    Delivery delivery(int place) {
        return deliveries[place];
    }

    /** The places of which nothing is known. */
    List<Integer> unknown() {
        List<Integer> unknown = new ArrayList<>();
        for (int i = 0; i < deliveries.length; i++) if (deliveries[i] == null) unknown.add(i);
        return unknown;
    }
}
