package dev.semel.gateway;

import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.header;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.replayOf;
import static dev.semel.testkit.http.Expect.retryAfter;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.Scenario.scenario;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import dev.semel.core.key.KeyId;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.StoreException;
import dev.semel.testkit.cassandra.CassandraServer;
import dev.semel.testkit.http.Expect;
import dev.semel.testkit.http.HttpContract;
import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.Scenario;
import dev.semel.testkit.http.ScriptedUpstream;
import dev.semel.testkit.http.SetUp;
import dev.semel.testkit.mariadb.MariaDbServer;
import dev.semel.testkit.redis.RedisServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What servers do to a gateway, and what its clients then see: the server is gone, is full, throttles, or has lost its quorum.
 * Then all is as it was: nothing is lost, and nothing has happened twice.
 */
@ExtendWith(StoreServers.class)
@Timeout(120)
class StoreOutagesTest {
    private static final Expect UNAVAILABLE = problem(503, "store-unavailable");

    /** What is wrong with a server. */
    private interface Outage {
        void change(boolean down) throws Exception;
    }

    /** A gateway on a store whose server has an outage, to be told about in a scenario. */
    private static final class Subject extends HttpContract implements AutoCloseable {
        private static final KeyId SOME = KeyId.of("", "POST /v1/some", "some");

        private final KeyStore store;
        private final Outage outage;
        private final ScriptedUpstream upstream = ScriptedUpstream.start();
        private final Gateway gateway;

        Subject(String url, Outage outage) throws IOException {
            this.store = StoreUrls.open(url);
            this.outage = outage;
            this.gateway = Gateway.start(GatewayHttpContractTest.config(upstream, ""), store);
        }

        static void hears(String url, Outage outage, Scenario scenario) throws Exception {
            try (Subject subject = new Subject(url, outage)) {
                subject.tell(scenario);
            }
        }

        @Override
        protected InetSocketAddress front(SetUp setUp) {
            return GatewayHttpContractTest.address(gateway);
        }

        @Override
        protected ScriptedUpstream upstream() {
            return upstream;
        }

        @Override
        protected void pass(Duration time) {
            throw new UnsupportedOperationException("Time passes by itself here.");
        }

        @Override
        protected void storeDown(boolean down) {
            try {
                outage.change(down);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            if (!down) awaitStore();
        }

        /** A store tries again by itself, in its own time. */
        private void awaitStore() {
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (true) {
                try {
                    store.find(SOME);
                    return;
                } catch (StoreException e) {
                    if (System.nanoTime() - deadline > 0) throw e;
                    Thread.onSpinWait();
                }
            }
        }

        @Override
        public void close() throws IOException {
            gateway.close();
            upstream.close();
        }
    }

    private static final RawRequest CHARGE = charge("/required/charges");
    private static final RawRequest GATED = charge("/required/gate").key("{key}-gated");

    /** With a request whose answer comes while the store cannot take it. */
    private static Scenario outage(Expect known) {
        return scenario("an outage")
                .send(CHARGE.key("{key}-1"), fresh(201))
                .start(GATED)
                .arrived(2)
                .storeGoesDown()
                .send(CHARGE.key("{key}-1"), known)
                .send(CHARGE.key("{key}-2"), UNAVAILABLE, retryAfter())
                .reached(2)
                .openGate()
                .answered(1, problem(504, "outcome-unknown"))
                .storeComesBack()
                .send(CHARGE.key("{key}-2"), fresh(201))
                .send(CHARGE.key("{key}-2"), status(201), header("Idempotent-Replayed", "true"))
                .send(CHARGE.key("{key}-1"), replayOf(1))
                .send(GATED, status(201), header("Idempotent-Replayed", "true"))
                .reached(3)
                .effects(3);
    }

    private static Scenario shortOutage() {
        return scenario("a short outage")
                .send(CHARGE.key("{key}-1"), fresh(201))
                .storeGoesDown()
                .send(CHARGE.key("{key}-1"), UNAVAILABLE, retryAfter())
                .send(CHARGE.key("{key}-2"), UNAVAILABLE, retryAfter())
                .reached(1)
                .storeComesBack()
                .send(CHARGE.key("{key}-2"), fresh(201))
                .send(CHARGE.key("{key}-1"), replayOf(1))
                .effects(2);
    }

    @Test
    void a_mariadb_that_dies_and_comes_back() throws Exception {
        try (MariaDbServer server = MariaDbServer.start(StoreServers.freshFolder())) {
            Outage killed = down -> {
                if (down) server.kill9();
                else server.restart();
            };
            Subject.hears(server.jdbcUrl(), killed, outage(UNAVAILABLE));
        }
    }

    @Test
    void a_redis_that_dies_and_comes_back() throws Exception {
        try (RedisServer server = RedisServer.start(StoreServers.freshFolder())) {
            Outage killed = down -> {
                if (down) server.kill9();
                else server.restart();
            };
            Subject.hears(server.url(), killed, shortOutage());
        }
    }

    /** Reading takes no memory, so what is known is told. */
    @Test
    void a_redis_that_is_full() throws Exception {
        try (RedisServer server = RedisServer.start(StoreServers.freshFolder())) {
            Outage full = down -> server.call("CONFIG", "SET", "maxmemory", down ? "1" : "0");
            Subject.hears(server.url(), full, outage(replayOf(1)));
        }
    }

    @Test
    void a_dynamodb_that_throttles() throws Exception {
        String url = StoreServers.freshTable();
        try (ThrottledWire wire = ThrottledWire.to(StoreServers.dynamoDb().endpoint())) {
            Subject.hears(wire.url(url), wire::throttle, outage(UNAVAILABLE));
        }
    }

    @Test
    void a_cassandra_that_has_lost_its_quorum() throws Exception {
        String url = StoreServers.freshKeyspace();
        String keyspace = url.substring(url.lastIndexOf('/') + 1, url.indexOf('?'));
        CassandraServer server = StoreServers.cassandra();
        try (CqlSession session = CqlSession.builder()
                .addContactPoint(new InetSocketAddress("127.0.0.1", server.port()))
                .withLocalDatacenter(CassandraServer.DATACENTER)
                .build()) {
            Outage alone = down -> session.execute("alter keyspace " + keyspace
                    + " with replication = {'class': 'NetworkTopologyStrategy', '" + CassandraServer.DATACENTER + "': "
                    + (down ? 3 : 1) + "}");
            Subject.hears(url, alone, shortOutage());
        }
    }

    private static String refused(String url) {
        RuntimeException refused = assertThrows(RuntimeException.class, () -> StoreUrls.open(url));
        assertFalse(refused.toString().contains("hush"), refused.toString());
        assertFalse(
                refused instanceof StoreException it && StoreUrls.isUnreachable(url, it),
                "a gateway would wait for what does not come by itself: " + refused);
        return String.valueOf(refused.getMessage());
    }

    private static void contains(String part, String message) {
        assertTrue(message.contains(part), message);
    }

    @Test
    void wrong_credentials_are_told_as_such_and_not_shown() throws Exception {
        contains("Access denied", refused(StoreServers.freshMariaDb().replace("user=root", "user=eve&password=hush")));
        try (RedisServer server = RedisServer.start(StoreServers.freshFolder(), "--requirepass", "open sesame")) {
            contains("NOAUTH", refused(server.url()));
            contains("WRONGPASS", refused(server.url().replace("//", "//:hush@")));
        }
    }

    @Test
    void an_address_of_nothing_says_what_is_missing() throws Exception {
        contains("Unknown database", refused(StoreServers.freshMariaDb().replaceFirst("/t[0-9a-f]+", "/nowhere")));
        contains("There is no DynamoDB table", refused(StoreServers.freshTable().replace("keys-", "none-")));
        contains("There is no keyspace", refused(StoreServers.cassandra().url("nowhere")));
        contains("?", refused("redis://127.0.0.1:1/?colour=blue"));
        contains("dynamodb://", refused("dynamodb://keys"));
        contains("jdbc", refused("jdbc:oracle:thin:@127.0.0.1:1521"));
    }
}
