package dev.semel.messaging.broker;

import dev.semel.messaging.message.OrderedKey;
import dev.semel.messaging.message.OutgoingMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the order of keys at brokers that answer for each message by itself: of each key only one message is in flight at a
 * time. Sends in waves: each has the next message of every key, so a batch of many keys is a single wave.
 */
public final class OneInFlight {
    private OneInFlight() {}

    /** Sends messages of which no two have the same topic and key, and returns one delivery for each. */
    @FunctionalInterface
    public interface Wave {
        List<Delivery> send(List<OutgoingMessage> messages) throws InterruptedException;
    }

    public static List<Delivery> publish(List<OutgoingMessage> messages, Wave wave) throws InterruptedException {
        @Nullable Delivery[] deliveries = new Delivery[messages.size()];
        Map<OrderedKey, OutgoingMessage> failed = new HashMap<>();
        List<Integer> left = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) left.add(i);
        while (!left.isEmpty()) {
            List<Integer> now = next(messages, left, failed, deliveries);
            List<Delivery> answers = now.isEmpty()
                    ? List.of()
                    : wave.send(now.stream().map(messages::get).toList());
            for (int i = 0; i < now.size(); i++) {
                deliveries[now.get(i)] = answers.get(i);
                OrderedKey order = messages.get(now.get(i)).order();
                if (order != null && !(answers.get(i) instanceof Delivery.Sent))
                    failed.put(order, messages.get(now.get(i)));
            }
        }
        return List.of(deliveries);
    }

    /** Takes the next message of every key out of those that are left. */
    private static List<Integer> next(
            List<OutgoingMessage> messages,
            List<Integer> left,
            Map<OrderedKey, OutgoingMessage> failed,
            @Nullable Delivery[] deliveries) {
        List<Integer> now = new ArrayList<>();
        Set<OrderedKey> taken = new HashSet<>();
        left.removeIf(i -> {
            OrderedKey order = messages.get(i).order();
            OutgoingMessage ahead = order == null ? null : failed.get(order);
            if (ahead != null) deliveries[i] = Delivery.Retry.behind(ahead.id());
            else if (order == null || taken.add(order)) now.add(i);
            else return false;
            return true;
        });
        return now;
    }
}
