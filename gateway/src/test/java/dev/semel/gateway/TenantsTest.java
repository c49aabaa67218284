package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyState;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.Listing;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.testkit.http.RawHttp;
import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.Received;
import dev.semel.testkit.http.ScriptedUpstream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two tenants behind one gateway: neither can see, block or use up what is the other's. */
class TenantsTest {
    private static final String STATUS = "/.semel/v1/keys/k?operation=POST%20/required/charges";
    private static final RawRequest CHARGE =
            RawRequest.charge("/required/charges").key("k").header("X-Scenario", "t");

    private final InMemoryKeyStore store = new InMemoryKeyStore();
    private ScriptedUpstream upstream;
    private Gateway gateway;

    @BeforeEach
    void start() throws Exception {
        upstream = ScriptedUpstream.start();
        gateway = Gateway.start(config(), store);
    }

    @AfterEach
    void stop() throws Exception {
        gateway.close();
        upstream.close();
    }

    private GatewayConfig config() {
        String yaml = """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0 }
            accept-lost-keys: true
            tenant: { header: X-Api-Key }
            upstream: { url: http://127.0.0.1:%d }
            routes:
              - match: POST /required/**
                key: required
                in-flight: reject
              - match: PUT /ordered/**
                order: { version: "header:If-Match" }
            """.formatted(upstream.port());
        return switch (ConfigReader.read(yaml, "tenants.yaml", name -> null, null)) {
            case ConfigReader.Result.Valid(GatewayConfig config) -> config;
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }

    private Received.Response send(RawRequest request) throws Exception {
        InetSocketAddress front = new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port());
        Received received = RawHttp.exchange(front, request, Duration.ofSeconds(30));
        return assertInstanceOf(Received.Response.class, received, received::toString);
    }

    private static RawRequest by(String secret, RawRequest request) {
        return request.header("X-Api-Key", secret);
    }

    @Test
    void the_same_key_of_two_tenants_is_two_keys() throws Exception {
        Received.Response alice = send(by("secret-of-alice", CHARGE));
        Received.Response bob = send(by("secret-of-bob", CHARGE.json("{\"amount\":1}")));
        assertEquals(201, alice.status());
        assertEquals(201, bob.status(), "another body under the same key is no mismatch, but another tenant's");
        assertNotEquals(alice.text(), bob.text());
        assertEquals(alice.text(), send(by("secret-of-alice", CHARGE)).text());
        assertEquals(2, upstream.ledger().effects("t"));
    }

    @Test
    void who_does_not_say_who_he_is_gets_nothing_sent_and_learns_nothing() throws Exception {
        send(by("secret-of-alice", CHARGE));
        for (RawRequest request : List.of(CHARGE, RawRequest.get(STATUS))) {
            Received.Response refused = send(request);
            assertEquals(401, refused.status());
            assertTrue(refused.text().contains("urn:semel:problem:tenant-unknown"), refused.text());
        }
        assertEquals(1, upstream.ledger().effects("t"));
        assertEquals(200, send(RawRequest.get("/any/hello")).status(), "what has no key needs no tenant");
    }

    @Test
    void a_tenant_sees_the_state_of_its_own_keys_only() throws Exception {
        send(by("secret-of-alice", CHARGE));
        assertEquals(200, send(by("secret-of-alice", RawRequest.get(STATUS))).status());
        assertEquals(404, send(by("secret-of-bob", RawRequest.get(STATUS))).status());
    }

    @Test
    void a_claim_of_one_tenant_is_nothing_to_another() throws Exception {
        RawRequest claim =
                RawRequest.post("/.semel/v1/claims").json("{\"operation\":\"charge\",\"key\":\"k\",\"payload\":1}");
        Received.Response alice = send(by("secret-of-alice", claim));
        assertEquals(201, alice.status(), alice.text());
        assertEquals(201, send(by("secret-of-bob", claim)).status());
        assertEquals(409, send(by("secret-of-alice", claim)).status());
        assertEquals(401, send(claim).status());
        String place = String.valueOf(alice.headers().first("Location"));
        String token = alice.text().replaceAll(".*\"token\":\\s*([0-9]+).*", "$1");
        RawRequest outcome = RawRequest.post(place + "/outcome")
                .withMethod("PUT")
                .json("{\"token\":" + token + ",\"outcome\":\"stolen\"}");
        assertEquals(412, send(by("secret-of-carol", outcome)).status());
        assertEquals(200, send(by("secret-of-alice", outcome)).status());
    }

    @Test
    void each_tenant_has_its_own_order_of_writes() throws Exception {
        RawRequest write = RawRequest.post("/ordered/charges").withMethod("PUT").header("X-Scenario", "t");
        assertEquals(
                201, send(by("secret-of-alice", write).header("If-Match", "9")).status());
        assertEquals(
                201, send(by("secret-of-bob", write).header("If-Match", "1")).status());
        assertEquals(
                409, send(by("secret-of-alice", write).header("If-Match", "1")).status());
    }

    @Test
    void the_secret_itself_is_kept_nowhere() throws Exception {
        send(by("secret-of-alice", CHARGE));
        String all = store.list(new Listing(null, EnumSet.allOf(KeyState.Kind.class), 100, null))
                .toString();
        assertTrue(all.contains("POST /required/charges"), all);
        assertFalse(all.contains("secret-of-alice"), all);
    }
}
