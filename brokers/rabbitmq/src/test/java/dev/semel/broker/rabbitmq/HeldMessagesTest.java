package dev.semel.broker.rabbitmq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.rabbitmq.client.AMQP;
import dev.semel.messaging.consume.IncomingMessage;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HeldMessagesTest {
    private final HeldMessages held = new HeldMessages();

    @Test
    void what_has_failed_is_not_overtaken_by_its_key_and_is_tried_alone_when_it_is_due() {
        HeldMessage failed = add(1, "k");
        HeldMessage behind = add(2, "k");
        HeldMessage other = add(3, "j");
        HeldMessage keyless = add(4, null);
        failed.failures = 1;
        failed.due = 1000;
        assertEquals(List.of(other, keyless), held.next(999, 10));
        assertEquals(1000, held.nextDue().orElseThrow());
        assertEquals(List.of(failed), held.next(1000, 10));
        held.remove(failed);
        assertEquals(List.of(behind, other), held.next(1000, 2));
        assertTrue(held.nextDue().isEmpty());
    }

    @Test
    void only_what_has_nothing_before_it_in_hand_is_acknowledged_with_all_below() {
        HeldMessage first = add(1, "k");
        HeldMessage second = add(2, "j");
        held.remove(second);
        assertTrue(!held.isNothingUpTo(2));
        held.remove(first);
        assertTrue(held.isNothingUpTo(2));
    }

    private HeldMessage add(long tag, @Nullable String key) {
        IncomingMessage message = new IncomingMessage("m" + tag, "orders", key, null, Map.of(), new byte[0]);
        HeldMessage made = new HeldMessage(tag, message, new AMQP.BasicProperties());
        held.add(made);
        return made;
    }
}
