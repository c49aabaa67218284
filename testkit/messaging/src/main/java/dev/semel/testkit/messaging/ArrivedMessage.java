package dev.semel.testkit.messaging;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as a consumer of the broker sees it.
 *
 * @param attributes those of CloudEvents, without the prefix that this broker gives them
 * @param headers all others
 */
public record ArrivedMessage(
        @Nullable String key, Map<String, String> attributes, Map<String, String> headers, byte[] payload) {

    public String id() {
        return attributes.getOrDefault("id", "none");
    }
}
