package dev.semel.bench.storage;

import com.datastax.oss.driver.api.core.CqlSession;
import dev.semel.core.store.KeyStore;
import dev.semel.store.cassandra.CassandraKeyStore;
import dev.semel.testkit.cassandra.CassandraServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Cassandra, one node: the files of the table after a compaction, and those that Paxos keeps of each write for a while. */
final class CassandraMeasured implements MeasuredStore {
    private static final int ENOUGH = 20_000;

    private final CassandraServer server;
    private int opened;
    private @Nullable KeyStore open;

    CassandraMeasured(Path folder) {
        this.server = CassandraServer.start(folder.resolve("cassandra"));
    }

    @Override
    public int enough(int keys) {
        return Math.min(keys, ENOUGH);
    }

    @Override
    public KeyStore openEmpty() {
        if (open != null) open.close();
        opened++;
        open = CassandraKeyStore.open(server.url(keyspace()) + "&create=true&skew=100ms&timeout=10s");
        // So that what has expired may go at once.
        cql("alter table " + keyspace() + ".semel_key with gc_grace_seconds = 0");
        cql("truncate system.paxos");
        return open;
    }

    private String keyspace() {
        return "keys" + opened;
    }

    private void cql(String statement) {
        try (CqlSession session = CqlSession.builder()
                .addContactPoint(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()))
                .withLocalDatacenter(CassandraServer.DATACENTER)
                .build()) {
            session.execute(statement);
        }
    }

    @Override
    public long bytes() throws Exception {
        CassandraNode node = new CassandraNode(server.pid());
        node.flush(keyspace(), "semel_key");
        node.compact(keyspace(), "semel_key");
        return node.liveBytes(keyspace(), "semel_key");
    }

    @Override
    public long passingBytes() throws Exception {
        CassandraNode node = new CassandraNode(server.pid());
        node.flush("system", "paxos");
        node.compact("system", "paxos");
        return node.liveBytes("system", "paxos");
    }

    /** As long as {@code gc_grace_seconds} of the table. */
    @Override
    public Duration passingTime() {
        return Duration.ofHours(4);
    }

    @Override
    public String how() {
        return "Cassandra 5.0.9, one replica, files of the table after flush and compaction, LZ4; and of system.paxos";
    }

    @Override
    public void close() {
        if (open != null) open.close();
        server.close();
    }
}
