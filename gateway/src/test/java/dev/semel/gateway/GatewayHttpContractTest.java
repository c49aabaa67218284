package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyState;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Listing;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.store.rocksdb.Durability;
import dev.semel.store.rocksdb.RocksKeyStore;
import dev.semel.testkit.FlakyKeyStore;
import dev.semel.testkit.HandClock;
import dev.semel.testkit.http.ContractRoutes;
import dev.semel.testkit.http.HttpContract;
import dev.semel.testkit.http.RawHttp;
import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.Received;
import dev.semel.testkit.http.ScriptedUpstream;
import dev.semel.testkit.http.SetUp;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the wire, kept by the gateway whatever store it stands on. */
class GatewayHttpContractTest {

    abstract static class OnAnyStore extends HttpContract {
        protected final HandClock clock = new HandClock();
        private ScriptedUpstream upstream;
        private FlakyKeyStore store;
        private final Map<SetUp, Gateway> gateways = new EnumMap<>(SetUp.class);

        abstract KeyStore openStore() throws Exception;

        String settings(SetUp setUp) {
            return setUp.settings();
        }

        @BeforeAll
        void start() throws Exception {
            upstream = ScriptedUpstream.start();
            store = new FlakyKeyStore(openStore());
            for (SetUp setUp : SetUp.values()) gateways.put(setUp, start(setUp));
        }

        private Gateway start(SetUp setUp) {
            return Gateway.start(config(upstream, settings(setUp)), new ForwardingKeyStore(store) {
                @Override
                public void close() {
                    // the others still need it
                }
            });
        }

        @AfterAll
        void stop() throws Exception {
            if (upstream != null) upstream.close();
            gateways.values().forEach(Gateway::close);
            if (store != null) store.close();
        }

        @Override
        protected InetSocketAddress front(SetUp setUp) {
            return address(Objects.requireNonNull(gateways.get(setUp)));
        }

        @Override
        protected ScriptedUpstream upstream() {
            return upstream;
        }

        @Override
        protected void pass(Duration time) {
            clock.advance(time);
        }

        @Override
        protected void storeDown(boolean down) {
            store.down(down);
        }

        @Test
        void the_secret_of_a_tenant_is_kept_nowhere() throws Exception {
            RawRequest charge = RawRequest.charge("/required/charges").header("X-Api-Key", "secret-of-alice");
            send(front(SetUp.TENANTS), charge.key("kept-nowhere").header("X-Scenario", "secret"));
            StringBuilder all = new StringBuilder();
            String after = null;
            do {
                Listing.Page page =
                        store.index().list(new Listing(null, EnumSet.allOf(KeyState.Kind.class), 1000, after));
                all.append(page);
                after = page.next();
            } while (after != null);
            assertTrue(all.indexOf("kept-nowhere") >= 0, "the key was not found at all");
            assertTrue(all.indexOf("secret-of-alice") < 0, "the secret is in the store");
        }
    }

    @Nested
    class OnMemory extends OnAnyStore {
        @Override
        KeyStore openStore() {
            return new InMemoryKeyStore(clock);
        }
    }

    @Nested
    class OnRocksDb extends OnAnyStore {
        @TempDir
        static Path folder;

        @Override
        KeyStore openStore() {
            return RocksKeyStore.open(folder, Durability.SYNC, clock);
        }
    }

    @Test
    void a_gateway_that_was_stopped_replays_when_it_is_back(@TempDir Path folder) throws Exception {
        RawRequest charge = RawRequest.charge("/required/charges").key("k").header("X-Scenario", "restart");
        RawRequest lost = RawRequest.charge("/required/dies-after").key("l").header("X-Scenario", "restart");
        try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
            Received.Response first;
            try (Gateway gateway = Gateway.start(
                    config(upstream, SetUp.PLAIN.settings()), RocksKeyStore.open(folder, Durability.SYNC))) {
                first = send(gateway, charge);
                assertEquals(502, send(gateway, lost).status());
            }
            try (Gateway gateway = Gateway.start(
                    config(upstream, SetUp.PLAIN.settings()), RocksKeyStore.open(folder, Durability.SYNC))) {
                Received.Response replay = send(gateway, charge);
                assertEquals(first.text(), replay.text());
                assertEquals("true", replay.headers().first("Idempotent-Replayed"));
                assertEquals(409, send(gateway, lost).status());
            }
            assertEquals(2, upstream.ledger().effects("restart"));
        }
    }

    static Received.Response send(Gateway gateway, RawRequest request) throws Exception {
        return send(address(gateway), request);
    }

    private static Received.Response send(InetSocketAddress front, RawRequest request) throws Exception {
        Received received = RawHttp.exchange(front, request, Duration.ofSeconds(30));
        return assertInstanceOf(Received.Response.class, received, received::toString);
    }

    static InetSocketAddress address(Gateway gateway) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port());
    }

    static GatewayConfig config(ScriptedUpstream upstream, String settings) {
        String yaml = """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0 }
            accept-lost-keys: true
            upstream: { url: http://127.0.0.1:%d }
            %s
            routes:
            """.formatted(upstream.port(), settings) + routes(ContractRoutes.of(upstream));
        return switch (ConfigReader.read(yaml, "contract.yaml", name -> null, null)) {
            case ConfigReader.Result.Valid(GatewayConfig config) -> config;
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems + "\n" + yaml);
        };
    }

    private static String routes(List<ContractRoutes.Route> routes) {
        StringBuilder yaml = new StringBuilder();
        for (ContractRoutes.Route route : routes) {
            yaml.append("  - match: \"").append(route.match()).append("\"\n");
            route.settings()
                    .forEach((name, value) -> yaml.append("    ")
                            .append(name)
                            .append(": ")
                            .append(value)
                            .append('\n'));
        }
        return yaml.toString();
    }
}
