package dev.semel.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.ssl.ProgrammaticSslEngineFactory;
import dev.semel.core.store.StoreException;
import java.net.InetSocketAddress;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLContext;

/** Connects to a cluster, and says in plain words why that cannot be. */
final class CassandraConnection {
    /** An idle connection is asked whether its node is still there; one that hangs is noticed in the sum of the two. */
    private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(1);

    private static final Duration HEARTBEAT_TIMEOUT = Duration.ofMillis(1500);
    private static final Duration RECONNECT = Duration.ofSeconds(1);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(10);

    /** News about the schema are few, and whoever makes tables waits for them. */
    private static final Duration SCHEMA_WINDOW = Duration.ofMillis(20);

    /** What each connection takes, above what a store lets through, so that none is refused by the driver. */
    private static final int MOST_REQUESTS_PER_CONNECTION = 8192;

    private static final int MOST_REPLICAS = 3;

    private CassandraConnection() {}

    static CqlSession open(CassandraUrl url) {
        CqlSessionBuilder builder = CqlSession.builder()
                .addContactPoints(url.hosts().stream()
                        .map(it -> new InetSocketAddress(it.getHostString(), it.getPort()))
                        .toList())
                .withConfigLoader(config(url));
        if (url.datacenter() != null) builder = builder.withLocalDatacenter(url.datacenter());
        CassandraUrl.Credentials credentials = url.credentials();
        if (credentials != null) builder = builder.withAuthCredentials(credentials.user(), credentials.password());
        if (url.tls()) builder = builder.withSslEngineFactory(new ProgrammaticSslEngineFactory(tls(), null, true));
        try {
            return builder.build();
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new IllegalStateException(
                    "The data center to connect to is not clear; name it in the URL of the store (dc=…): "
                            + e.getMessage(),
                    e);
        } catch (RuntimeException e) {
            throw CassandraFailures.ofOpening(e);
        }
    }

    private static SSLContext tls() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java has no TLS by default.", e);
        }
    }

    /** What the store depends on, whatever a configuration file of the driver on the class path says. */
    private static DriverConfigLoader config(CassandraUrl url) {
        Duration heartbeatTimeout = longer(HEARTBEAT_TIMEOUT, url.options().requestTimeout());
        var config = DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.SESSION_NAME, "semel")
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, url.options().requestTimeout())
                .withString(DefaultDriverOption.RETRY_POLICY_CLASS, NeverRetry.class.getName())
                .withString(DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS, "NoSpeculativeExecutionPolicy")
                .withBoolean(DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE, false)
                .withInt(DefaultDriverOption.CONNECTION_MAX_REQUESTS, MOST_REQUESTS_PER_CONNECTION)
                .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, CONNECT_TIMEOUT)
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, CONNECT_TIMEOUT)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, START_TIMEOUT)
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, START_TIMEOUT)
                .withStringList(DefaultDriverOption.METADATA_SCHEMA_REFRESHED_KEYSPACES, List.of(url.keyspace()))
                .withDuration(DefaultDriverOption.HEARTBEAT_INTERVAL, HEARTBEAT_INTERVAL)
                .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, heartbeatTimeout)
                .withString(DefaultDriverOption.RECONNECTION_POLICY_CLASS, "ConstantReconnectionPolicy")
                .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, RECONNECT)
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_WINDOW, SCHEMA_WINDOW)
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                .withBoolean(DefaultDriverOption.PREPARE_ON_ALL_NODES, true);
        if (url.datacenter() == null)
            config = config.withString(
                    DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, "DcInferringLoadBalancingPolicy");
        return config.build();
    }

    /** Whoever waits for answers longer than usual also gives a node longer to say that it is there. */
    private static Duration longer(Duration usual, Duration requestTimeout) {
        Duration most = requestTimeout.minus(HEARTBEAT_INTERVAL);
        return most.compareTo(usual) > 0 ? most : usual;
    }

    /** The name of the data center that this session asks. */
    static String datacenter(CqlSession session, CassandraUrl url) {
        Set<String> there = new TreeSet<>();
        String asked = url.datacenter();
        for (Node node : session.getMetadata().getNodes().values()) {
            String datacenter = node.getDatacenter();
            if (datacenter == null) continue;
            there.add(datacenter);
            if (asked == null && node.getDistance() == NodeDistance.LOCAL) asked = datacenter;
        }
        if (asked != null && there.contains(asked)) return asked;
        throw new IllegalStateException("This cluster has no data center '" + asked + "'. It has "
                + String.join(", ", there) + ": say which one in the URL of the store (dc=…).");
    }

    /** The keyspace, which is made only if that was asked for. */
    static KeyspaceMetadata keyspace(CqlSession session, CassandraUrl url, String datacenter) {
        return session.refreshSchema()
                .getKeyspace(url.keyspace())
                .or(() -> {
                    if (!url.create()) throw missing(url, datacenter);
                    CassandraSchema.define(session, creation(session, url, datacenter));
                    return session.refreshSchema().getKeyspace(url.keyspace());
                })
                .orElseThrow(() -> missing(url, datacenter));
    }

    private static StoreException missing(CassandraUrl url, String datacenter) {
        return StoreException.notApplied(
                "There is no keyspace '" + url.keyspace()
                        + "'. Make it first, with every data center that is to have the"
                        + " keys and three replicas in each: create keyspace " + url.keyspace()
                        + " with replication = {'class': 'NetworkTopologyStrategy', '" + datacenter
                        + "': 3}; For a test, open the store with create=true.",
                null);
    }

    /** The statement that makes the keyspace, if it is missing and the URL wants it made. */
    static String missingKeyspace(CqlSession session, CassandraUrl url, String datacenter) {
        if (session.refreshSchema().getKeyspace(url.keyspace()).isPresent()) return "";
        if (!url.create()) throw missing(url, datacenter);
        return creation(session, url, datacenter) + ";\n";
    }

    private static String creation(CqlSession session, CassandraUrl url, String datacenter) {
        long nodes = session.getMetadata().getNodes().values().stream()
                .filter(node -> datacenter.equals(node.getDatacenter()))
                .count();
        return "create keyspace if not exists " + url.keyspace()
                + " with replication = {'class': 'NetworkTopologyStrategy', '" + datacenter.replace("'", "''") + "': "
                + Math.min(MOST_REPLICAS, nodes) + "}";
    }
}
