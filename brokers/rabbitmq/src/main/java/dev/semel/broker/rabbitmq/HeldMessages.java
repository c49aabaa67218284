package dev.semel.broker.rabbitmq;

import dev.semel.messaging.message.OrderedKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** The messages that a consumer has in hand, in the order of the queue. For one thread. */
final class HeldMessages {
    private final TreeMap<Long, HeldMessage> held = new TreeMap<>();

    void add(HeldMessage message) {
        held.put(message.tag, message);
    }

    void remove(HeldMessage message) {
        held.remove(message.tag);
    }

    /**
     * What can be handled now: many that are new, or one that has failed before, which would make all others with it be handled
     * one by one. Nothing behind a message of its key that has to wait.
     */
    List<HeldMessage> next(long now, int most) {
        List<HeldMessage> next = new ArrayList<>();
        Set<OrderedKey> waiting = new HashSet<>();
        for (HeldMessage message : held.values()) {
            OrderedKey order = message.order();
            if (order != null && waiting.contains(order)) continue;
            boolean failedBefore = message.failures > 0;
            if (failedBefore && message.due - now <= 0 && next.isEmpty()) return List.of(message);
            if (!failedBefore) next.add(message);
            else if (order != null) waiting.add(order);
            if (next.size() == most) break;
        }
        return next;
    }

    /** When the next one is due that has to wait now; empty when none has to. */
    OptionalLong nextDue() {
        return held.values().stream()
                .filter(message -> message.failures > 0)
                .mapToLong(message -> message.due)
                .reduce((one, other) -> one - other < 0 ? one : other);
    }

    /** Whether nothing with a number up to this one is in hand: all of those can be acknowledged together. */
    boolean isNothingUpTo(long tag) {
        return held.isEmpty() || held.firstKey() > tag;
    }
}
