package dev.semel.torture.messages.check;

import java.util.List;

/**
 * How a law was kept.
 *
 * @param broken how often it was not
 * @param examples of that, some
 */
public record Finding(String law, long broken, List<String> examples) {
    private static final int MOST_EXAMPLES = 5;

    static Finding of(String law, List<String> violations) {
        return new Finding(
                law, violations.size(), List.copyOf(violations.subList(0, Math.min(MOST_EXAMPLES, violations.size()))));
    }
}
