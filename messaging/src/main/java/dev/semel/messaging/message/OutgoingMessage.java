package dev.semel.messaging.message;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way: what was appended, and what it got then. Every attempt to send it, by whichever relay, is of the same id.
 *
 * @param id as it was fixed when it was appended; whoever receives it tells duplicates by it
 * @param appendedAt by the clock of the database
 */
public record OutgoingMessage(
        UUID id,
        String topic,
        @Nullable String key,
        String type,
        Map<String, String> headers,
        byte[] payload,
        Instant appendedAt) {

    public OutgoingMessage {
        headers = Map.copyOf(headers);
    }

    /** What must stay in order with it: messages of one topic and key. Null when nothing must. */
    public @Nullable OrderedKey order() {
        return key == null ? null : new OrderedKey(topic, key);
    }
}
