package dev.semel.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import dev.semel.core.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Brings the tables to the version that this program knows. Scripts are numbered and never change once released; each
 * may be run again.
 *
 * <p>It also sees to it that all who share a keyspace agree upon its keys in the same {@linkplain SerialScope scope}: the first one
 * writes its own down, and whoever comes with another is turned away.
 */
final class CassandraSchema {
    private static final List<String> SCRIPTS = List.of("V1__keys.cql");
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final long AGREEMENT_PAUSE_NANOS = 50_000_000;

    private final CqlSession session;
    private final String keyspace;
    private final SerialScope scope;

    CassandraSchema(CqlSession session, String keyspace, SerialScope scope) {
        this.session = session;
        this.keyspace = keyspace;
        this.scope = scope;
    }

    private record Version(int number, String scope) {}

    /** Where nothing is missing this only looks, and so needs no right to create tables. */
    void migrate() {
        try {
            awaitAgreement(session);
            Version present = version();
            if (present == null || present.number < SCRIPTS.size()) present = bringUpToDate(present);
            requireSameScope(present);
        } catch (DriverException e) {
            throw StoreException.notApplied(
                    "The tables of Semel in keyspace " + keyspace + " could not be brought up to date: "
                            + CassandraFailures.ofRead(e).getMessage(),
                    e);
        }
    }

    /** All that {@link #migrate} would run; empty when nothing is missing. */
    String missing() {
        Version present = version();
        StringBuilder cql = new StringBuilder();
        for (int next = present == null ? 1 : present.number + 1; next <= SCRIPTS.size(); next++)
            cql.append(script(next));
        if (!cql.isEmpty()) cql.append('\n').append(recording(present)).append(";\n");
        return cql.toString();
    }

    private @Nullable Version version() {
        SimpleStatement table = SimpleStatement.newInstance(
                "select table_name from system_schema.tables where keyspace_name = ? and table_name = 'semel_schema'",
                keyspace);
        if (session.execute(table).one() == null) return null;
        SimpleStatement query = SimpleStatement.newInstance(
                        "select version, scope from " + keyspace + ".semel_schema where name = 'keys'")
                .setConsistencyLevel(scope.quorum());
        Row row = session.execute(query).one();
        return row == null ? null : known(new Version(row.getInt("version"), String.valueOf(row.getString("scope"))));
    }

    private static Version known(Version version) {
        if (version.number > SCRIPTS.size())
            throw new IllegalStateException("The tables of Semel in this keyspace are of version " + version.number
                    + ", made by a newer Semel; this one knows them up to version " + SCRIPTS.size() + ".");
        return version;
    }

    private Version bringUpToDate(@Nullable Version present) {
        for (int next = present == null ? 1 : present.number + 1; next <= SCRIPTS.size(); next++)
            for (String statement : statements(script(next))) define(session, statement);
        return record(present);
    }

    /**
     * Runs a statement that defines something. All processes ask the same node: two nodes that make a table at the same
     * moment give it two ids, and then do not agree.
     */
    static void define(CqlSession session, String cql) {
        Optional<Node> node = connected(session)
                .min(Comparator.comparing(Node::getHostId, Comparator.nullsLast(Comparator.<UUID>naturalOrder())));
        SimpleStatement statement = SimpleStatement.newInstance(cql).setTimeout(TIMEOUT);
        session.execute(node.isPresent() ? statement.setNode(node.get()) : statement);
        awaitAgreement(session);
    }

    /**
     * Asks every node itself which version of the schema it has. The driver asks one node what it knows of the others, and right
     * after a change that node may not know better than that all is as before.
     */
    private static void awaitAgreement(CqlSession session) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (connected(session)
                        .map(node -> schemaVersion(session, node))
                        .distinct()
                        .count()
                > 1) {
            if (System.nanoTime() - deadline > 0)
                throw StoreException.notApplied(
                        "The nodes of Cassandra do not agree on the schema. Try again; if it stays so, see nodetool"
                                + " describecluster.",
                        null);
            LockSupport.parkNanos(AGREEMENT_PAUSE_NANOS);
        }
    }

    private static Stream<Node> connected(CqlSession session) {
        return session.getMetadata().getNodes().values().stream()
                .filter(it -> it.getState() == NodeState.UP && it.getOpenConnections() > 0);
    }

    private static Optional<UUID> schemaVersion(CqlSession session, Node node) {
        SimpleStatement query = SimpleStatement.newInstance("select schema_version from system.local")
                .setNode(node);
        return Optional.ofNullable(session.execute(query).one()).map(row -> row.getUuid(0));
    }

    /** Writes the version down, among the replicas of all data centers, whatever the scope of keys is. */
    private Version record(@Nullable Version present) {
        SimpleStatement recording = SimpleStatement.newInstance(recording(present))
                .setSerialConsistencyLevel(DefaultConsistencyLevel.SERIAL)
                .setConsistencyLevel(DefaultConsistencyLevel.QUORUM)
                .setTimeout(TIMEOUT);
        Row answer = Objects.requireNonNull(session.execute(recording).one());
        if (KeyRows.isApplied(answer)) return new Version(SCRIPTS.size(), scopeOf(present));
        return known(new Version(answer.getInt("version"), String.valueOf(answer.getString("scope"))));
    }

    private String recording(@Nullable Version present) {
        return "update " + keyspace + ".semel_schema set version = " + SCRIPTS.size() + ", scope = '"
                + scopeOf(present).replace("'", "''") + "' where name = 'keys' if version = "
                + (present == null ? "null" : present.number) + " and scope != ''";
    }

    private String scopeOf(@Nullable Version present) {
        return present == null ? scope.text() : present.scope;
    }

    private void requireSameScope(Version present) {
        if (present.scope.equals(scope.text())) return;
        throw new IllegalStateException("The keys in keyspace " + keyspace + " are agreed upon in the scope '"
                + present.scope + "', and this store was opened with '" + scope.text()
                + "'. With both, an operation could run twice. Open it with the same consistency= and dc= as the"
                + " others; docs/stores/cassandra.md says how to change the scope of a whole fleet.");
    }

    private static List<String> statements(String script) {
        String bare = script.replaceAll("(?m)^--.*$", "");
        return List.of(bare.split(";", -1)).stream()
                .map(String::strip)
                .filter(it -> !it.isEmpty())
                .toList();
    }

    private String script(int version) {
        String name = SCRIPTS.get(version - 1);
        try (InputStream script = CassandraSchema.class.getResourceAsStream(name)) {
            if (script == null) throw new IllegalStateException("The script " + name + " is not in the jar.");
            return new String(script.readAllBytes(), StandardCharsets.UTF_8).replace("${keyspace}", keyspace);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
