package dev.semel.bench.storage;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Measures how many bytes a key takes in each store, and writes it down as {@code semel plan} reads it. Arguments: how many keys,
 * the sizes of outcomes and the stores, each list separated by commas, a folder to work in, the file to write to, and the
 * command to note there. Of stores that are not measured now, the file keeps what it says.
 */
public final class StorageBench {
    private static final Duration KEPT = Duration.ofDays(1);

    /** Short, so that it is over soon; in whole seconds, for some servers count in them. */
    private static final Duration SOON_OVER = Duration.ofSeconds(1);

    /** What tombstones are made of. */
    private static final int USUAL_BODY = 1024;

    private static final Map<String, Function<Path, MeasuredStore>> STORES = new LinkedHashMap<>();

    static {
        STORES.put("rocksdb", RocksMeasured::new);
        STORES.put("postgresql", PostgresMeasured::new);
        STORES.put("mariadb", MariaDbMeasured::new);
        STORES.put("redis", RedisMeasured::new);
        STORES.put("dynamodb", DynamoDbMeasured::new);
        STORES.put("cassandra", CassandraMeasured::new);
    }

    private final ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private final int keys;
    private final List<Integer> bodies;
    private final Path folder;

    private StorageBench(int keys, List<Integer> bodies, Path folder) {
        this.keys = keys;
        this.bodies = bodies;
        this.folder = folder;
    }

    public static void main(String[] args) throws Exception {
        List<Integer> bodies = new ArrayList<>();
        for (String each : args[1].split(",", -1)) bodies.add(Integer.parseInt(each));
        StorageBench bench = new StorageBench(Integer.parseInt(args[0]), bodies, Path.of(args[3]));
        List<String> stores = args[2].isEmpty() ? List.copyOf(STORES.keySet()) : List.of(args[2].split(",", -1));
        for (String store : stores)
            if (!STORES.containsKey(store)) {
                System.err.println("There is no store '" + store + "' to measure, but " + STORES.keySet() + ".");
                System.exit(2);
            }
        for (String store : stores) bench.save(Path.of(args[4]), store, bench.measure(store), args[5]);
    }

    private ObjectNode measure(String name) throws Exception {
        ObjectNode row = json.createObjectNode();
        try (MeasuredStore store = Objects.requireNonNull(STORES.get(name)).apply(folder)) {
            int count = store.enough(keys);
            row.put("keys", count).put("how", store.how());
            row.put("held", measured(name, "held", count, held(store, count)));
            ObjectNode done = row.putObject("done");
            ObjectNode passing = json.createObjectNode();
            for (int body : bodies) {
                done.put(
                        Integer.toString(body),
                        measured(name, "outcome of " + body, count, finished(store, count, body)));
                long rest = store.passingBytes();
                if (rest > 0) passing.put(Integer.toString(body), measured(name, "kept for a while", count, rest));
            }
            row.put("tombstone", measured(name, "tombstone", count, spent(store, count)));
            if (!passing.isEmpty())
                row.putObject("passing")
                        .put("seconds", store.passingTime().toSeconds())
                        .set("done", passing);
        }
        return row;
    }

    private static long held(MeasuredStore store, int count) throws Exception {
        new WrittenKeys(store.openEmpty(), count).claim();
        return store.bytes();
    }

    private static long finished(MeasuredStore store, int count, int body) throws Exception {
        new WrittenKeys(store.openEmpty(), count).finish(body, KEPT);
        return store.bytes();
    }

    private static long spent(MeasuredStore store, int count) throws Exception {
        WrittenKeys written = new WrittenKeys(store.openEmpty(), count);
        written.finish(USUAL_BODY, SOON_OVER);
        // By then it is over by every clock, and servers that expire by themselves have done so.
        Thread.sleep(SOON_OVER.multipliedBy(3));
        written.strip(Duration.ofMinutes(5));
        return store.bytesAfterStripping();
    }

    private static long measured(String store, String what, int count, long bytes) {
        long each = Math.round((double) bytes / count);
        System.err.printf(Locale.ROOT, "%-11s %-18s %,10d bytes a key (%,d keys)%n", store, what, each, count);
        return each;
    }

    private void save(Path file, String name, ObjectNode row, String command) throws IOException {
        ObjectNode all =
                Files.exists(file) ? (ObjectNode) json.readTree(Files.readString(file)) : json.createObjectNode();
        row.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        row.put("command", command);
        row.put(
                "machine",
                Runtime.getRuntime().availableProcessors() + " processors, JDK "
                        + Runtime.version().feature() + ", " + System.getProperty("os.name") + " "
                        + System.getProperty("os.arch"));
        all.set(name, row);
        Files.writeString(file, json.writeValueAsString(all) + "\n");
    }
}
