package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.metrics.GatewayMetrics;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which route a request takes, and which spellings take none. */
class RouteMapTest {
    private static final String CONFIG = """
        upstream: { url: "http://127.0.0.1:1" }
        routes:
          - match: "POST /v1/charges/{id}"
            key: off
          - match: "POST /v1/charges"
            key: required
          - match: "POST /v1/Refunds/"
            key: required
          - match: "POST /v1/exact"
            key: required
            exact-path: true
          - match: "POST /v1/open"
            key: off
          - match: "PUT /v1/ordered/{id}"
            key: off
            order: { version: "header:If-Match" }
        """;

    private static Vertx vertx;
    private static RouteMap routes;

    @BeforeAll
    static void read() {
        vertx = Vertx.vertx();
        GatewayConfig config = assertInstanceOf(
                        ConfigReader.Result.Valid.class, ConfigReader.read(CONFIG, "routes.yaml", name -> null, null))
                .config();
        GatewayMetrics metrics = new GatewayMetrics();
        UpstreamAddresses turns = new UpstreamAddresses(metrics);
        routes = new RouteMap(vertx, config.upstream(), config.allRoutes(), turns, metrics, () -> {});
    }

    @AfterAll
    static void close() {
        routes.close();
        vertx.close().await();
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /v1/charges,           POST /v1/charges",
        "POST, /v1/charges/7,         POST /v1/charges/{id}",
        "POST, /v1/charges/%20,       refused",
        "POST, /v1/charges/.,         refused",
        "POST, /v1/Charges/7,         POST /**",
        "POST, /V1/CHARGES,           refused",
        "post, /V1/CHARGES,           refused",
        "GET,  /V1/CHARGES/,          * /**",
        "POST, /v1/Refunds/,          POST /v1/Refunds/",
        "POST, /v1/Refunds,           refused",
        "POST, /v1/refunds,           refused",
        "POST, /v1/refunds.xml,       refused",
        "POST, /v1/refunds.d/x,       POST /**",
        "POST, /v1/exact,             POST /v1/exact",
        "POST, /v1/exact/,            POST /**",
        "POST, /v1/Exact,             POST /**",
        "POST, /v1/Open,              POST /**",
        "PUT,  /v1/ordered/aB,        PUT /v1/ordered/{id}",
        "PUT,  /v1/Ordered/aB,        refused",
        "PUT,  /v1/ordered/aB/,       refused",
        "PUT,  /v1/other/,            * /**",
        "POST, /,                     POST /**",
        "POST, /.hidden,              POST /**",
    })
    void a_request_takes_the_route_that_every_server_would_take_it_for(String method, String path, String route) {
        RouteMap.Match found = routes.find(method, path);
        assertEquals(route, found == null ? "refused" : found.name());
    }
}
