package dev.semel.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * How many bytes a key takes in one store, as {@code semel bench storage} has measured it.
 *
 * @param done bytes of a key with its outcome, by the size of the outcome
 * @param passing what is kept of each write beside the key, for the time of {@code passingTime} only; empty where nothing is
 * @param how what was measured, in a few words
 * @param origin when, where and by which command
 */
public record MeasuredBytes(
        String store,
        long held,
        NavigableMap<Long, Long> done,
        long tombstone,
        NavigableMap<Long, Long> passing,
        Duration passingTime,
        String how,
        String origin) {
    private static final String RESOURCE = "bytes-per-key.json";

    /** All stores, in the order in which they were written down. */
    public static Map<String, MeasuredBytes> all() {
        try (InputStream in = MeasuredBytes.class.getResourceAsStream(RESOURCE)) {
            if (in == null) throw new IllegalStateException("The figures " + RESOURCE + " are not in the jar.");
            return read(new ObjectMapper().readTree(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Map<String, MeasuredBytes> read(JsonNode file) {
        Map<String, MeasuredBytes> all = new LinkedHashMap<>();
        file.properties().forEach(each -> all.put(each.getKey(), store(each.getKey(), each.getValue())));
        return all;
    }

    private static MeasuredBytes store(String name, JsonNode row) {
        JsonNode passing = row.path("passing");
        return new MeasuredBytes(
                name,
                row.path("held").asLong(),
                sizes(row.path("done")),
                row.path("tombstone").asLong(),
                sizes(passing.path("done")),
                Duration.ofSeconds(passing.path("seconds").asLong()),
                row.path("how").asText(),
                row.path("date").asText() + ", " + row.path("keys").asLong() + " keys, "
                        + row.path("machine").asText() + ": "
                        + row.path("command").asText());
    }

    private static NavigableMap<Long, Long> sizes(JsonNode table) {
        NavigableMap<Long, Long> sizes = new TreeMap<>();
        table.properties()
                .forEach(each ->
                        sizes.put(Long.parseLong(each.getKey()), each.getValue().asLong()));
        return sizes;
    }

    /** With an outcome of this size: on the line between the two sizes that were measured next to it. */
    public double done(long body) {
        return between(done, body);
    }

    /** What is kept of a write with an outcome of this size for a while. */
    public double passing(long body) {
        return passing.isEmpty() ? 0 : between(passing, body);
    }

    /** Beyond the largest that was measured, the last line goes on. */
    private static double between(NavigableMap<Long, Long> sizes, long body) {
        Map.Entry<Long, Long> low = sizes.floorEntry(body);
        Map.Entry<Long, Long> high = sizes.higherEntry(body);
        if (high == null) {
            high = sizes.lastEntry();
            low = sizes.lowerEntry(high.getKey());
        } else if (low == null) {
            low = high;
            high = sizes.higherEntry(low.getKey());
        }
        if (low == null || high == null) return sizes.firstEntry().getValue();
        double slope = (double) (high.getValue() - low.getValue()) / (high.getKey() - low.getKey());
        return low.getValue() + slope * (body - low.getKey());
    }
}
