package dev.semel.gateway.config;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code limits: { head: …, head-time: …, body-time: …, idle: …, connections: …, streams: …, memory: … }}. */
final class LimitsReader {
    private static final Set<String> NAMES =
            Set.of("head", "head-time", "body-time", "idle", "connections", "streams", "memory");
    private static final int LARGEST_NUMBER = 1_000_000;

    private LimitsReader() {}

    static ConnectionLimits read(@Nullable YamlValue value) {
        ConnectionLimits otherwise = ConnectionLimits.DEFAULT;
        if (value == null) return otherwise;
        Map<String, YamlValue> entries = value.map("limits", NAMES, Map.of());
        YamlValue head = entries.get("head");
        YamlValue memory = entries.get("memory");
        return new ConnectionLimits(
                head == null ? otherwise.head() : head.as(LimitsReader::head, otherwise.head()),
                duration(entries.get("head-time"), otherwise.headTime()),
                duration(entries.get("body-time"), otherwise.bodyTime()),
                duration(entries.get("idle"), otherwise.idle()),
                number(entries.get("connections"), otherwise.connections()),
                number(entries.get("streams"), otherwise.streams()),
                memory == null ? otherwise.memory() : memory.as(LimitsReader::memory, otherwise.memory()));
    }

    private static int head(String text) {
        long bytes = Quantities.bytes(text);
        if (bytes < ConnectionLimits.SMALLEST_HEAD || bytes > ConnectionLimits.LARGEST_HEAD)
            throw new IllegalArgumentException("'" + text + "' is not between 1KiB and 64KiB");
        return (int) bytes;
    }

    private static long memory(String text) {
        long bytes = Quantities.bytes(text);
        if (bytes < ConnectionLimits.SMALLEST_MEMORY)
            throw new IllegalArgumentException("'" + text + "' is less than 1MiB");
        return bytes;
    }

    private static Duration duration(@Nullable YamlValue value, Duration otherwise) {
        return value == null ? otherwise : value.as(LimitsReader::upToADay, otherwise);
    }

    private static Duration upToADay(String text) {
        Duration duration = Quantities.positive(text);
        if (duration.compareTo(Duration.ofDays(1)) > 0)
            throw new IllegalArgumentException("'" + text + "' is more than a day");
        return duration;
    }

    private static int number(@Nullable YamlValue value, int otherwise) {
        return value == null ? otherwise : value.as(LimitsReader::number, otherwise);
    }

    private static int number(String text) {
        if (text.matches("[0-9]{1,7}")) {
            int number = Integer.parseInt(text);
            if (number > 0 && number <= LARGEST_NUMBER) return number;
        }
        throw new IllegalArgumentException("'" + text + "' is not a number between 1 and " + LARGEST_NUMBER);
    }
}
