package dev.semel.store.cassandra;

import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import dev.semel.core.store.StoreTraits;
import dev.semel.core.store.StoreTraits.Forgetting;
import dev.semel.core.store.StoreTraits.Survives;
import java.time.Duration;
import java.util.Map;

/** What a store promises, by how its keyspace is replicated and its nodes are set up. */
final class CassandraTraits {
    /** So many replicas agree by two, and go on when one is gone. */
    private static final int REPLICAS_FOR_NODE_LOSS = 3;

    private static final long MOST_OUTCOME_BYTES = 8 << 20;
    private static final long USUAL_MUTATION_BYTES = 16 << 20;

    private CassandraTraits() {}

    static StoreTraits of(KeyspaceMetadata keyspace, SerialScope scope, ServerSettings settings, Duration skew) {
        return StoreTraits.surviving(survives(keyspace, scope, settings))
                .withSkew(skew)
                .withLargestOutcome(largestOutcome(settings))
                .withForgetting(Forgetting.SERVER)
                .withoutCounting();
    }

    private static Survives survives(KeyspaceMetadata keyspace, SerialScope scope, ServerSettings settings) {
        if (!keyspace.isDurableWrites()) return Survives.NOTHING;
        if (replicas(keyspace.getReplication(), scope) >= REPLICAS_FOR_NODE_LOSS) return Survives.NODE_LOSS;
        return switch (settings.text("commitlog_sync")) {
            case "batch", "group" -> Survives.POWER_LOSS;
            case "periodic" -> survivesItsProcess(settings) ? Survives.PROCESS_DEATH : Survives.NOTHING;
            default -> Survives.NOTHING; // it does not tell
        };
    }

    /** Between two syncs the log is in the memory of the system, unless it is compressed, encrypted or past the page cache. */
    private static boolean survivesItsProcess(ServerSettings settings) {
        String access = settings.text("commitlog_disk_access_mode");
        boolean mapped = access.isEmpty() || access.equals("legacy") || access.equals("mmap");
        boolean encrypted = settings.text("transparent_data_encryption_options_enabled").equals("true")
                || settings.text("transparent_data_encryption_options.enabled").equals("true");
        return mapped && !encrypted && settings.text("commitlog_compression").isEmpty();
    }

    /** How many replicas a key has among those that agree upon it. */
    static int replicas(Map<String, String> replication, SerialScope scope) {
        if (scope instanceof SerialScope.Local local) return number(replication.getOrDefault(local.datacenter(), "0"));
        return replication.entrySet().stream()
                .filter(entry -> !entry.getKey().equals("class"))
                .mapToInt(entry -> number(entry.getValue()))
                .sum();
    }

    /** {@code 3}, or {@code 3/1} where some are transient. */
    private static int number(String factor) {
        int slash = factor.indexOf('/');
        String full = slash < 0 ? factor : factor.substring(0, slash);
        return full.matches("\\d{1,4}") ? Integer.parseInt(full) : 0;
    }

    /** Well below what a node takes in one write, and in one message: the record and its bookkeeping come on top. */
    private static long largestOutcome(ServerSettings settings) {
        long mutation = settings.bytes("max_mutation_size").orElse(USUAL_MUTATION_BYTES);
        long message = settings.bytes("native_transport_max_message_size").orElse(mutation);
        return Math.min(MOST_OUTCOME_BYTES, Math.min(mutation, message) / 4 * 3);
    }
}
