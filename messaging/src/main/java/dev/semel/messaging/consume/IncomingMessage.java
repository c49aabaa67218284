package dev.semel.messaging.consume;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as it came from a broker.
 *
 * @param id as the sender fixed it, the same however often it comes; null when it has none
 * @param topic where it came from, in the broker's words
 * @param key what stays in order; null for none
 * @param type what kind of thing happened; null when the sender does not say
 * @param headers all others, those of CloudEvents without the prefix of the broker's binding among them
 */
public record IncomingMessage(
        @Nullable String id,
        String topic,
        @Nullable String key,
        @Nullable String type,
        Map<String, String> headers,
        byte[] payload) {

    public IncomingMessage {
        headers = Map.copyOf(headers);
    }

    /** Without what is in it. */
    @Override
    public String toString() {
        return "message " + id + " of " + topic;
    }
}
