package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.store.jdbc.PostgresKeyStore;
import dev.semel.testkit.postgres.PostgresServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What clients of two tenants get to see of quotas, over real sockets. */
class QuotaTest {
    private final AtomicInteger effects = new AtomicInteger();
    private final CountDownLatch slowArrived = new CountDownLatch(1);
    private final CountDownLatch slowMayEnd = new CountDownLatch(1);
    private final List<Gateway> gateways = new ArrayList<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private HttpServer upstream;

    @BeforeEach
    void serve() throws Exception {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            if (exchange.getRequestURI().getPath().equals("/slow")) holdUp();
            byte[] answer = ("effect " + effects.incrementAndGet()).getBytes();
            exchange.sendResponseHeaders(201, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        upstream.start();
    }

    private void holdUp() {
        slowArrived.countDown();
        try {
            slowMayEnd.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void stop() {
        slowMayEnd.countDown();
        gateways.forEach(Gateway::close);
        upstream.stop(0);
        client.close();
    }

    private Gateway start(KeyStore store, String quota) {
        String yaml = """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0 }
            accept-lost-keys: true
            tenant: { header: X-Api-Key, quota: %s }
            upstream: { url: http://127.0.0.1:%d }
            """.formatted(quota, upstream.getAddress().getPort());
        GatewayConfig config = switch (ConfigReader.read(yaml, "quota.yaml", name -> null, null)) {
            case ConfigReader.Result.Valid(GatewayConfig valid) -> valid;
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
        Gateway gateway = Gateway.start(config, store);
        gateways.add(gateway);
        return gateway;
    }

    private static HttpRequest request(Gateway gateway, String tenant, String path, String key) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + path))
                .header("Idempotency-Key", key)
                .header("X-Api-Key", tenant)
                .timeout(Duration.ofSeconds(30))
                .POST(BodyPublishers.ofString("{\"amount\":1}"))
                .build();
    }

    private HttpResponse<String> post(Gateway gateway, String tenant, String path, String key) throws Exception {
        return client.send(request(gateway, tenant, path, key), BodyHandlers.ofString());
    }

    private static void refused(String what, HttpResponse<String> response) {
        assertEquals(429, response.statusCode(), response.body());
        assertTrue(response.body().contains("urn:semel:problem:quota-exceeded"), response.body());
        assertTrue(response.body().contains("(quota " + what + ")"), response.body());
        assertTrue(response.headers().firstValueAsLong("Retry-After").orElse(0) > 0);
    }

    @Test
    void a_tenant_over_its_quota_of_keys_gets_replays_but_nothing_new_and_others_go_on() throws Exception {
        Gateway gateway = start(new InMemoryKeyStore(), "{ keys: 2 }");
        assertEquals("effect 1", post(gateway, "ann", "/v1", "a").body());
        assertEquals("effect 2", post(gateway, "ann", "/v1", "b").body());
        refused("keys", post(gateway, "ann", "/v1", "c"));
        assertEquals("effect 1", post(gateway, "ann", "/v1", "a").body());
        assertEquals("effect 3", post(gateway, "bob", "/v1", "c").body());
        assertEquals(3, effects.get(), "nothing was sent of what was refused");
    }

    @Test
    void a_tenant_over_its_quota_in_flight_is_let_in_again_when_its_operation_has_ended() throws Exception {
        Gateway gateway = start(new InMemoryKeyStore(), "{ in-flight: 1, waiters: 0 }");
        CompletableFuture<HttpResponse<String>> slow =
                client.sendAsync(request(gateway, "ann", "/slow", "s"), BodyHandlers.ofString());
        assertTrue(slowArrived.await(30, TimeUnit.SECONDS));
        refused("in-flight", post(gateway, "ann", "/v1", "a"));
        HttpResponse<String> duplicate = post(gateway, "ann", "/slow", "s");
        assertEquals(429, duplicate.statusCode());
        assertTrue(duplicate.body().contains("urn:semel:problem:too-many-waiters"), duplicate.body());
        assertEquals("effect 1", post(gateway, "bob", "/v1", "a").body());
        slowMayEnd.countDown();
        assertEquals("effect 2", slow.get(30, TimeUnit.SECONDS).body());
        assertEquals("effect 3", post(gateway, "ann", "/v1", "a").body());
    }

    @Test
    void gateways_on_one_database_share_the_quota_of_keys() throws Exception {
        Path folder = Path.of("target", "quota", UUID.randomUUID().toString()).toAbsolutePath();
        try (PostgresServer server = PostgresServer.startFromClassPath(Files.createDirectories(folder))) {
            List<Gateway> fleet = List.of(
                    start(PostgresKeyStore.open(server.jdbcUrl()), "{ keys: 5 }"),
                    start(PostgresKeyStore.open(server.jdbcUrl()), "{ keys: 5 }"));
            for (int i = 0; i < 5; i++)
                assertEquals(201, post(fleet.get(i % 2), "ann", "/v1", "k" + i).statusCode());
            for (Gateway gateway : fleet) {
                refused("keys", post(gateway, "ann", "/v1", "k5"));
                assertEquals("effect 1", post(gateway, "ann", "/v1", "k0").body());
            }
            assertEquals(201, post(fleet.getLast(), "bob", "/v1", "k5").statusCode());
            assertEquals(6, effects.get());
            gateways.forEach(Gateway::close);
            gateways.clear();
        }
    }
}
