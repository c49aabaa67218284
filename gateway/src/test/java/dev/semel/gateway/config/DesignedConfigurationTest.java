package dev.semel.gateway.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.Quotas;
import dev.semel.core.key.Guarantee;
import dev.semel.http.KeyMode;
import dev.semel.http.ProbeRule;
import dev.semel.http.RoutePolicy;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A configuration with one of everything, as people write it, and what it results in. */
class DesignedConfigurationTest {
    private static final String YAML = """
        listen: 127.0.0.1:8080
        admin:  { listen: 127.0.0.1:8081, token: ${SEMEL_ADMIN_TOKEN} }
        store:  rocksdb:./semel-data
        tenant: { header: X-Api-Key }          # or { jwt-claim: sub, jwks: file-or-url }; absent: one tenant
        encryption: { active: k2, keys: { k1: ${K1}, k2: ${K2} } }     # AES-256-GCM of stored outcomes; 32 bytes, base64; rotation by id
        upstream: { url: http://127.0.0.1:9000, connect-timeout: 2s, timeout: 30s }   # a list of urls is used in turn; a route may name its own
        routes:
          - match: POST /v1/charges
            key: required                      # required | optional | off
            guarantee: at-most-once
            in-flight: wait 5s                 # or: reject
            lease: 30s
            retention: 24h
            tombstone: 30d
            statuses: default                  # preset, or { store: [2xx, 402], release: [503], doubt: [502, 504] }
            probe: { get: "/v1/charges?idempotency_key={key}", found: 200, absent: 404, after: 2s }
            fingerprint: { exclude: [/metadata/sentAt] }
            limits: { request: 1MiB, response: 4MiB }
          - match: "PUT /v1/accounts/{id}"
            order: { version: "header:If-Match" }   # optional: refuse writes older than the last accepted one (409 stale)
          - match: "* /**"
            key: optional
        """;

    private static final Map<String, String> ENVIRONMENT =
            Map.of("SEMEL_ADMIN_TOKEN", "open-sesame", "K1", key(1), "K2", key(2));

    private static String key(int first) {
        byte[] key = new byte[32];
        key[0] = (byte) first;
        return Base64.getEncoder().encodeToString(key);
    }

    @Test
    void the_gateway_is_what_the_file_says() {
        GatewayConfig config = config();
        assertEquals(new HostPort("127.0.0.1", 8080), config.listen());
        assertEquals(new AdminSettings(new HostPort("127.0.0.1", 8081), "open-sesame"), config.admin());
        assertEquals("rocksdb:./semel-data", config.store());
        assertNull(config.tls());
        assertEquals(
                "X-Api-Key",
                assertInstanceOf(TenantSettings.Header.class, config.tenant()).name());
        assertEquals(Quotas.NONE, Objects.requireNonNull(config.tenant()).quotas());
        assertEquals("k2", Objects.requireNonNull(config.encryption()).active());
        assertEquals(UpstreamSettings.of(UpstreamSettings.url("http://127.0.0.1:9000")), config.upstream());
        assertEquals(ConnectionLimits.DEFAULT, config.limits());
    }

    @Test
    void its_routes_are_what_the_file_says() {
        List<RouteSettings> routes = config().routes();
        assertEquals(
                List.of("POST /v1/charges", "PUT /v1/accounts/{id}", "* /**"),
                routes.stream().map(route -> route.pattern().toString()).toList());
        RoutePolicy charges = routes.getFirst().policy();
        assertEquals(KeyMode.REQUIRED, charges.key());
        assertEquals(
                new ClaimPolicy(
                        Guarantee.AT_MOST_ONCE,
                        Duration.ofSeconds(30),
                        Duration.ofHours(24),
                        Duration.ofDays(30),
                        Duration.ofSeconds(5),
                        null),
                charges.claims());
        ProbeRule probe = Objects.requireNonNull(charges.probe());
        assertEquals("GET /v1/charges?idempotency_key={key} (found [200], absent [404])", probe.toString());
        assertEquals(Duration.ofSeconds(2), probe.after());
        assertEquals(
                "header:If-Match",
                Objects.requireNonNull(routes.get(1).policy().order()).version().toString());
        assertEquals(KeyMode.OPTIONAL, routes.get(2).policy().key());
    }

    private static GatewayConfig config() {
        return switch (ConfigReader.read(YAML, "semel.yaml", ENVIRONMENT::get, null)) {
            case ConfigReader.Result.Valid(GatewayConfig config) -> config;
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }
}
