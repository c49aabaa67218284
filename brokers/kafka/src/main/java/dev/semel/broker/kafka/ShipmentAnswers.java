package dev.semel.broker.kafka;

import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.message.OrderedKey;
import dev.semel.messaging.message.OutgoingMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What became of each message of a shipment so far. For one thread. */
final class ShipmentAnswers {
    private final List<OutgoingMessage> messages;
    private final @Nullable Delivery[] deliveries;

    ShipmentAnswers(List<OutgoingMessage> messages) {
        this.messages = messages;
        this.deliveries = new Delivery[messages.size()];
    }

    OutgoingMessage message(int place) {
        return messages.get(place);
    }

    void settle(int place, Delivery delivery) {
        deliveries[place] = delivery;
    }

    /** The places of the next messages that can be sent, in order, and not more of them than so many bytes, but one at least. */
    List<Integer> next(long mostBytes) {
        settleBehind();
        List<Integer> next = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < deliveries.length; i++) {
            if (deliveries[i] != null) continue;
            bytes += messages.get(i).payload().length;
            if (bytes > mostBytes && !next.isEmpty()) break;
            next.add(i);
        }
        return next;
    }

    /** What stands behind a message of its key that was not taken waits with it. */
    private void settleBehind() {
        Map<OrderedKey, UUID> failed = new HashMap<>();
        for (int i = 0; i < deliveries.length; i++) {
            OrderedKey order = messages.get(i).order();
            if (order == null || deliveries[i] instanceof Delivery.Sent) continue;
            UUID ahead = failed.get(order);
            if (deliveries[i] != null) failed.putIfAbsent(order, messages.get(i).id());
            else if (ahead != null) deliveries[i] = Delivery.Retry.behind(ahead);
        }
    }

    boolean anySent() {
        for (Delivery delivery : deliveries) if (delivery instanceof Delivery.Sent) return true;
        return false;
    }

    /** All deliveries; this one for those that have none. */
    List<Delivery> othersAre(Delivery delivery) {
        for (int i = 0; i < deliveries.length; i++) if (deliveries[i] == null) deliveries[i] = delivery;
        return List.of(deliveries);
    }
}
