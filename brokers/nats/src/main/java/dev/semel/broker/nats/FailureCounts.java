package dev.semel.broker.nats;

import java.util.LinkedHashMap;
import java.util.Map;

/** How often messages have failed here, by their numbers in the stream. The oldest are forgotten. For one thread. */
final class FailureCounts {
    private static final int MOST = 10_000;

    private final Map<Long, Integer> counts = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Integer> eldest) {
            return size() > MOST;
        }
    };

    /** @return how often it has, with this time */
    int failed(long message) {
        return counts.merge(message, 1, Integer::sum);
    }

    void forget(long message) {
        counts.remove(message);
    }
}
