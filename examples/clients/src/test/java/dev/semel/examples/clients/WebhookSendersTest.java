package dev.semel.examples.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.semel.gateway.Gateway;
import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.testkit.postgres.PostgresServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Webhooks that are signed by the libraries of their senders, through a gateway. */
@Timeout(300)
class WebhookSendersTest {
    private static final Path ROOT = Path.of(System.getProperty("semel.root", "../.."));
    private static final Path LIBRARIES = Path.of("target", "webhooks-node").toAbsolutePath();
    private static final Path NODE = Path.of("src", "test", "node").toAbsolutePath();
    private static final String STANDARD = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final Map<String, String> SECRETS =
            Map.of("standard", STANDARD, "stripe", "whsec_of_stripe", "github", "It's a Secret to Everybody");

    private record Delivered(Map<String, String> headers, String body) {}

    @TempDir
    static Path folder;

    private static final BlockingQueue<Delivered> DELIVERED = new LinkedBlockingQueue<>();
    private static PostgresServer database;
    private static HttpServer upstream;
    private static Gateway gateway;

    @BeforeAll
    static void start() throws Exception {
        Command.run(ROOT, "bash", "scripts/webhooks-node.sh", LIBRARIES.toString())
                .succeeded();
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.createContext("/internal", exchange -> {
            Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
            DELIVERED.add(
                    new Delivered(headers, new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        upstream.start();
        database = PostgresServer.startFromClassPath(folder);
        GatewayConfig config = config();
        gateway = Gateway.start(config, StoreUrls.open(config.store()));
    }

    private static GatewayConfig config() {
        StringBuilder yaml = new StringBuilder(
                """
                listen: 127.0.0.1:0
                admin: { listen: 127.0.0.1:0 }
                store: "%s"
                accept-lost-keys: true
                upstream: { url: "http://127.0.0.1:%d" }
                webhooks:
                """.formatted(database.jdbcUrl(), upstream.getAddress().getPort()));
        SECRETS.forEach((scheme, secret) -> yaml.append("""
              - path: /hooks/%1$s
                scheme: %1$s
                secrets: [ "%2$s" ]
                deliver: { path: /internal/%1$s }
            """.formatted(scheme, secret)));
        return switch (ConfigReader.read(yaml.toString(), "webhooks.yaml", name -> null, null)) {
            case ConfigReader.Result.Valid(GatewayConfig config) -> config;
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }

    @AfterAll
    static void end() {
        if (gateway != null) gateway.close();
        if (database != null) database.close();
        if (upstream != null) upstream.stop(0);
    }

    private static String send(String scheme, String secret, String id, String body) throws Exception {
        String url = "http://127.0.0.1:" + gateway.port() + "/hooks/" + scheme;
        return Command.run(
                        LIBRARIES, "node", NODE.resolve("send-webhook.mjs").toString(), scheme, url, secret, id, body)
                .succeeded()
                .strip();
    }

    @ParameterizedTest
    @CsvSource({"standard, msg_1", "stripe, evt_1", "github, 72d3162e-cc78-11e3-81ab-4c9367dc0958"})
    void what_the_library_of_a_sender_signs_is_taken_and_delivered(String scheme, String id) throws Exception {
        String secret = SECRETS.getOrDefault(scheme, "");
        String body = "{\"id\":\"" + id + "\",\"text\":\"Grüße, 世界 \\u0000\"}";
        assertEquals("200", send(scheme, secret, id, body));
        Delivered delivered = DELIVERED.poll(30, TimeUnit.SECONDS);
        assertTrue(delivered != null, "nothing was delivered");
        assertEquals(body, delivered.body());
        assertEquals(id, delivered.headers().get("webhook-id"));
        assertEquals(id, delivered.headers().get("Idempotency-Key"));
        assertEquals("401", send(scheme, STANDARD.replace("Mf", "mF"), id, body), "with another secret");
        assertEquals("200", send(scheme, secret, id, body), "a duplicate");
        if (!scheme.equals("standard")) return;
        Map<String, String> headers = Map.of(
                "webhook-id", delivered.headers().getOrDefault("webhook-id", ""),
                "webhook-timestamp", delivered.headers().getOrDefault("webhook-timestamp", ""),
                "webhook-signature", delivered.headers().getOrDefault("webhook-signature", ""));
        String taken = Command.run(
                        LIBRARIES,
                        "node",
                        NODE.resolve("take-webhook.mjs").toString(),
                        secret,
                        new ObjectMapper().writeValueAsString(headers),
                        delivered.body())
                .succeeded();
        assertEquals(id, new ObjectMapper().readTree(taken).path("id").asText(), "the upstream can verify it too");
    }
}
