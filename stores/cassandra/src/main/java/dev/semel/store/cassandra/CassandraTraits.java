package dev.semel.store.cassandra;

import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import dev.semel.core.store.DeclaredTraits;
import dev.semel.core.store.StoreTraits;
import dev.semel.core.store.StoreTraits.Forgetting;
import dev.semel.core.store.StoreTraits.Survives;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** What a store promises, by how its keyspace is replicated and its nodes are set up. */
final class CassandraTraits {
    /** So many replicas agree by two, and go on when one is gone. */
    private static final int REPLICAS_FOR_NODE_LOSS = 3;

    /**
     * In these modes the log is on disk before a write is answered. In the other one, {@code periodic}, not even the death of the
     * process is survived: the log is read back up to its last mark, and marks are written every tenth of a second.
     */
    private static final Set<String> SYNCED = Set.of("batch", "group");

    private static final long MOST_OUTCOME_BYTES = 8 << 20;
    private static final long USUAL_MUTATION_BYTES = 16 << 20;

    static final DeclaredTraits DECLARED = DeclaredTraits.always(
                    "Cassandra",
                    StoreTraits.surviving(Survives.NODE_LOSS)
                            .withClock(StoreTraits.LeaseClock.CLIENTS)
                            .withSkew(CassandraOptions.DEFAULT.skew())
                            .withLargestOutcome(MOST_OUTCOME_BYTES)
                            .withForgetting(Forgetting.SERVER)
                            .withoutCounting())
            .atLeast(Survives.NOTHING, "replicas, `commitlog_sync` and `durable_writes`")
            .withSkewBy("`?skew=`")
            .withLargestBy("`max_mutation_size`");

    private CassandraTraits() {}

    static StoreTraits of(KeyspaceMetadata keyspace, SerialScope scope, ServerSettings settings, Duration skew) {
        return of(keyspace.getReplication(), keyspace.isDurableWrites(), scope, settings, skew);
    }

    static StoreTraits of(
            Map<String, String> replication,
            boolean logged,
            SerialScope scope,
            ServerSettings settings,
            Duration skew) {
        return DECLARED.surviving(survives(replication, logged, scope, settings))
                .withSkew(skew)
                .withLargestOutcome(largestOutcome(settings));
    }

    /** @param logged whether the keyspace has a commit log */
    static Survives survives(
            Map<String, String> replication, boolean logged, SerialScope scope, ServerSettings settings) {
        if (!logged) return Survives.NOTHING;
        if (replicas(replication, scope) >= REPLICAS_FOR_NODE_LOSS) return Survives.NODE_LOSS;
        return SYNCED.contains(settings.text("commitlog_sync")) ? Survives.POWER_LOSS : Survives.NOTHING;
    }

    /** How many replicas a key has among those that agree upon it. */
    private static int replicas(Map<String, String> replication, SerialScope scope) {
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
