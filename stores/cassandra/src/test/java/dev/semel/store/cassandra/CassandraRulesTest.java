package dev.semel.store.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.connection.HeartbeatException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.CASWriteUnknownException;
import com.datastax.oss.driver.api.core.servererrors.DefaultWriteType;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import dev.semel.core.store.StoreException.Applied;
import dev.semel.core.store.StoreTraits;
import dev.semel.core.store.StoreTraits.Survives;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What can be decided without a server: what a failure means, what is promised, when something expires. */
class CassandraRulesTest {
    /** Nobody asks it anything: the driver wants to know where an answer came from. */
    private static final Node NODE = (Node) Proxy.newProxyInstance(
            CassandraRulesTest.class.getClassLoader(),
            new Class<?>[] {Node.class},
            (proxy, method, arguments) -> method.getName().equals("toString") ? "node" : null);

    private static Applied applied(RuntimeException failure) {
        return CassandraFailures.ofWrite(failure).applied();
    }

    @Test
    void only_what_was_not_begun_is_known_not_to_have_happened() {
        assertEquals(Applied.NO, applied(unavailable(DefaultConsistencyLevel.SERIAL)));
        assertEquals(Applied.NO, applied(unavailable(DefaultConsistencyLevel.LOCAL_SERIAL)));
        assertEquals(Applied.NO, applied(new InvalidQueryException(NODE, "unconfigured table")));
        assertEquals(Applied.NO, applied(new UnauthorizedException(NODE, "no MODIFY permission")));
        assertEquals(Applied.NO, applied(new NoNodeAvailableException()));
        assertEquals(Applied.NO, applied(new IllegalStateException("session is closed")));
    }

    /** Agreed upon, and too few replicas to write it: it has happened all the same. */
    @Test
    void unavailable_when_the_agreement_is_to_be_written_is_unknown() {
        assertEquals(Applied.UNKNOWN, applied(unavailable(DefaultConsistencyLevel.QUORUM)));
        assertEquals(Applied.UNKNOWN, applied(unavailable(DefaultConsistencyLevel.LOCAL_QUORUM)));
    }

    @Test
    void everything_else_is_unknown() {
        ConsistencyLevel serial = DefaultConsistencyLevel.SERIAL;
        assertEquals(Applied.UNKNOWN, applied(new WriteTimeoutException(NODE, serial, 1, 2, DefaultWriteType.CAS)));
        assertEquals(Applied.UNKNOWN, applied(new WriteTimeoutException(NODE, serial, 1, 2, DefaultWriteType.SIMPLE)));
        assertEquals(Applied.UNKNOWN, applied(new CASWriteUnknownException(NODE, serial, 1, 2)));
        assertEquals(Applied.UNKNOWN, applied(new DriverTimeoutException("2.5 s")));
        assertEquals(Applied.UNKNOWN, applied(new ClosedConnectionException("gone")));
        assertEquals(
                Applied.UNKNOWN, applied(new HeartbeatException(new InetSocketAddress("127.0.0.1", 1), "late", null)));
        assertEquals(Applied.UNKNOWN, applied(new OverloadedException(NODE, "too many hints")));
        assertEquals(Applied.UNKNOWN, applied(new ServerError(NODE, "?")));
    }

    private static UnavailableException unavailable(ConsistencyLevel level) {
        return new UnavailableException(NODE, level, 2, 1);
    }

    private static final Map<String, String> ONE = Map.of("class", "NetworkTopologyStrategy", "dc1", "1");
    private static final Map<String, String> TWICE_THREE =
            Map.of("class", "NetworkTopologyStrategy", "dc1", "3", "dc2", "3");
    private static final Map<String, String> TWICE_TWO =
            Map.of("class", "NetworkTopologyStrategy", "dc1", "2", "dc2", "2");

    private static Survives survives(Map<String, String> replication, SerialScope scope, String... settings) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) values.put(settings[i], settings[i + 1]);
        return CassandraTraits.survives(replication, true, scope, new ServerSettings(values));
    }

    @Test
    void what_an_acknowledged_write_survives_follows_from_replicas_and_commit_log() {
        SerialScope global = new SerialScope.Global();
        SerialScope local = new SerialScope.Local("dc1");
        assertEquals(Survives.NODE_LOSS, survives(TWICE_THREE, global));
        assertEquals(Survives.NODE_LOSS, survives(TWICE_THREE, local));
        assertEquals(Survives.NODE_LOSS, survives(TWICE_TWO, global, "commitlog_sync", "periodic"));
        assertEquals(Survives.NOTHING, survives(TWICE_TWO, local, "commitlog_sync", "periodic"));
        assertEquals(Survives.NOTHING, survives(ONE, global, "commitlog_sync", "periodic"));
        assertEquals(Survives.POWER_LOSS, survives(ONE, global, "commitlog_sync", "batch"));
        assertEquals(Survives.POWER_LOSS, survives(ONE, global, "commitlog_sync", "group"));
        assertEquals(Survives.NOTHING, survives(ONE, global), "a node that does not tell");
        assertEquals(
                Survives.NOTHING,
                CassandraTraits.survives(TWICE_THREE, false, global, new ServerSettings(Map.of())),
                "a keyspace without a commit log");
    }

    @Test
    void the_largest_outcome_follows_from_what_a_node_takes() {
        StoreTraits usual = traits(Map.of());
        assertEquals(8 << 20, usual.largestOutcome());
        assertEquals(3 << 20, traits(Map.of("max_mutation_size", "4096KiB")).largestOutcome());
        Map<String, String> message =
                Map.of("max_mutation_size", "16MiB", "native_transport_max_message_size", "400000");
        assertEquals(300_000, traits(message).largestOutcome());
    }

    private static StoreTraits traits(Map<String, String> settings) {
        return CassandraTraits.of(ONE, true, new SerialScope.Global(), new ServerSettings(settings), Duration.ZERO);
    }

    @Test
    void a_time_to_live_is_rounded_up_and_leaves_room_for_two_clocks_that_are_wrong() {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        assertEquals(1, new TimeToLive(Duration.ZERO).seconds(Duration.ZERO, now));
        assertEquals(2, new TimeToLive(Duration.ZERO).seconds(Duration.ofNanos(1), now));
        assertEquals(31, new TimeToLive(Duration.ofSeconds(10)).seconds(Duration.ofSeconds(10), now));
        assertEquals(TimeToLive.NONE, new TimeToLive(Duration.ZERO).seconds(Duration.ofDays(365 * 13), now));
        assertEquals(TimeToLive.NONE, new TimeToLive(Duration.ZERO).seconds(Duration.ofDays(365_000), now));
    }

    @Test
    void a_clock_that_is_off_by_more_than_was_declared_is_refused() {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        Duration skew = Duration.ofSeconds(10);
        ClockCheck.require(now, now.plusSeconds(10), now.plusMillis(5), skew);
        ClockCheck.require(now, now.minusSeconds(10), now.plusMillis(5), skew);
        for (Instant node : new Instant[] {now.plusSeconds(47), now.minusSeconds(47)}) {
            String refused = assertThrows(
                            IllegalStateException.class, () -> ClockCheck.require(now, node, now.plusMillis(5), skew))
                    .getMessage();
            assertTrue(refused.contains("differ by 4"), refused);
        }
    }
}
