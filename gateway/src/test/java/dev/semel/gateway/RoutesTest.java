package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.GatewayConfig;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.Test;

/** What holds for a key that nobody sent a request for: that of the route its operation is of, and of no other. */
class RoutesTest {
    private static final String CONFIG = """
        upstream: { url: "http://127.0.0.1:1" }
        routes:
          - match: "DELETE /v1/accounts/{id}"
            probe: { get: "/probe?key={key}" }
          - match: "PUT /v1/accounts/{id}"
            guarantee: at-least-once
          - match: "POST /v1/off"
            key: off
          - match: "* /v1/open/**"
            probe: { get: "/probe?key={key}" }
        """;

    @Test
    void each_operation_has_the_policy_of_its_own_route() {
        GatewayConfig config = switch (ConfigReader.read(CONFIG, "routes.yaml", name -> null, null)) {
            case ConfigReader.Result.Valid(GatewayConfig valid) -> valid;
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
        Vertx vertx = Vertx.vertx();
        try (Routes routes = new Routes(vertx, config, new BodyBudget(1 << 20))) {
            assertNotNull(policy(routes, "DELETE /v1/accounts/{id}").probe());
            ClaimPolicy put = policy(routes, "PUT /v1/accounts/{id}");
            assertNull(put.probe(), "not the probe of another method on the same path");
            assertEquals(Guarantee.AT_LEAST_ONCE, put.guarantee());
            assertNotNull(policy(routes, "POST /v1/open/a/b").probe());
            assertNull(policy(routes, "POST /anything/else").probe());
            assertNull(routes.policyOf(KeyId.of("", "POST /v1/off", "k")));
            assertNull(routes.policyOf(KeyId.of("", "DELETE /anything/else", "k")));
            assertNull(routes.policyOf(KeyId.reserved("", "order", "/v1/accounts/7")));
            assertNull(routes.policyOf(KeyId.of("", "settle invoice", "k")));
        } finally {
            vertx.close().await();
        }
    }

    private static ClaimPolicy policy(Routes routes, String operation) {
        ClaimPolicy policy = routes.policyOf(KeyId.of("", operation, "k"));
        assertNotNull(policy, operation);
        return policy;
    }
}
