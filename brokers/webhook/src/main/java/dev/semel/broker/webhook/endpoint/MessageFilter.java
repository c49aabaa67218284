package dev.semel.broker.webhook.endpoint;

import java.util.List;

/**
 * Which messages an endpoint wants.
 *
 * @param topics empty: all; one that ends with {@code *} is a beginning
 * @param types as the topics
 */
public record MessageFilter(List<String> topics, List<String> types) {
    public static final MessageFilter ALL = new MessageFilter(List.of(), List.of());

    public MessageFilter {
        topics = List.copyOf(topics);
        types = List.copyOf(types);
        topics.forEach(MessageFilter::require);
        types.forEach(MessageFilter::require);
    }

    private static void require(String pattern) {
        int star = pattern.indexOf('*');
        if (pattern.isEmpty() || (star >= 0 && star < pattern.length() - 1))
            throw new IllegalArgumentException(
                    "A topic or type is wanted by its name, or by its beginning and a * at the end, not '" + pattern
                            + "'.");
    }

    public boolean wants(String topic, String type) {
        return wants(topics, topic) && wants(types, type);
    }

    private static boolean wants(List<String> patterns, String name) {
        return patterns.isEmpty() || patterns.stream().anyMatch(it -> fits(it, name));
    }

    private static boolean fits(String pattern, String name) {
        return pattern.endsWith("*")
                ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                : name.equals(pattern);
    }
}
