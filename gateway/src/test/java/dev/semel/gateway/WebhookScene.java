package dev.semel.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.testkit.http.RawHttp;
import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.Received;
import dev.semel.testkit.postgres.PostgresServer;
import dev.semel.testkit.server.FreePort;
import dev.semel.webhook.SigningKey;
import dev.semel.webhook.WebhookScheme;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** A gateway with webhooks of three senders on a database of its own, before an upstream that can be away or refuse. */
final class WebhookScene implements AutoCloseable {
    static final String STANDARD = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    static final String STRIPE = "whsec_stripe_secret";
    static final String GITHUB = "It's a Secret to Everybody";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What the upstream has got. */
    record Delivered(
            String path,
            @Nullable String id,
            @Nullable String key,
            @Nullable String event,
            @Nullable String signature,
            @Nullable String cookie,
            byte[] body) {
        String text() {
            return new String(body, UTF_8);
        }
    }

    /** All that came, whatever was answered. */
    final List<Delivered> asked = new CopyOnWriteArrayList<>();

    /** All that was answered with 2xx, in order. */
    final List<Delivered> taken = new CopyOnWriteArrayList<>();

    /** What the upstream answers. */
    volatile ToIntFunction<Delivered> answers = delivered -> 204;

    final String url;
    private final int upstreamPort = FreePort.pick();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Gateway gateway;
    private @Nullable HttpServer upstream;

    private WebhookScene(String url, boolean withUpstream) throws Exception {
        this.url = url;
        if (withUpstream) startUpstream();
        this.gateway = Gateway.start(config(url, upstreamPort), StoreUrls.open(url));
    }

    static WebhookScene start(PostgresServer server) throws Exception {
        return new WebhookScene(freshUrl(server), true);
    }

    static WebhookScene withoutUpstream(PostgresServer server) throws Exception {
        return new WebhookScene(freshUrl(server), false);
    }

    private static String freshUrl(PostgresServer server) throws SQLException {
        String name = "t" + UUID.randomUUID().toString().replace("-", "");
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        }
        return server.jdbcUrl(name);
    }

    private static GatewayConfig config(String url, int upstreamPort) {
        String yaml = """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0 }
            store: "%s"
            accept-lost-keys: true
            upstream: { url: "http://127.0.0.1:%d", timeout: 20s, connect-timeout: 2s }
            webhooks:
              - path: /hooks/standard
                scheme: standard
                secrets: [ "%s" ]
                deliver: { path: /internal/standard, key: /customer }
              - path: /hooks/stripe
                scheme: stripe
                secrets: [ "%s", "whsec_old" ]
                tolerance: 5m
                deliver: { path: /internal/stripe, key: /data/object/customer }
              - path: /hooks/github
                scheme: github
                secrets: [ "%s" ]
                deliver: { path: /internal/github }
            """.formatted(url, upstreamPort, STANDARD, STRIPE, GITHUB);
        return switch (ConfigReader.read(yaml, "webhooks.yaml", name -> null, null)) {
            case ConfigReader.Result.Valid(GatewayConfig config) -> config;
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }

    void startUpstream() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), upstreamPort), 0);
        server.setExecutor(threads);
        server.createContext("/", this::take);
        server.start();
        upstream = server;
    }

    private void take(HttpExchange exchange) throws IOException {
        var headers = exchange.getRequestHeaders();
        Delivered delivered = new Delivered(
                exchange.getRequestURI().getPath(),
                headers.getFirst("webhook-id"),
                headers.getFirst("Idempotency-Key"),
                headers.getFirst("X-GitHub-Event"),
                headers.getFirst("webhook-signature"),
                headers.getFirst("Cookie"),
                exchange.getRequestBody().readAllBytes());
        asked.add(delivered);
        int status = answers.applyAsInt(delivered);
        if (status / 100 == 2) taken.add(delivered);
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    static RawRequest standard(String id, String body, Instant at) {
        String time = Long.toString(at.getEpochSecond());
        String signature = SigningKey.parse(STANDARD).sign(WebhookScheme.signed(id, time, body.getBytes(UTF_8)));
        return RawRequest.post("/hooks/standard")
                .json(body)
                .header("webhook-id", id)
                .header("webhook-timestamp", time)
                .header("webhook-signature", signature);
    }

    static RawRequest standard(String id, String body) {
        return standard(id, body, Instant.now());
    }

    static RawRequest stripe(String body, Instant at) {
        String time = Long.toString(at.getEpochSecond());
        return RawRequest.post("/hooks/stripe")
                .json(body)
                .header("Stripe-Signature", "t=" + time + ",v1=" + hmac(STRIPE, time + "." + body));
    }

    static RawRequest github(String id, String body) {
        return RawRequest.post("/hooks/github")
                .json(body)
                .header("X-GitHub-Delivery", id)
                .header("X-GitHub-Event", "push")
                .header("X-Hub-Signature-256", "sha256=" + hmac(GITHUB, body));
    }

    private static String hmac(String secret, String signed) {
        try {
            var mac = javax.crypto.Mac.getInstance("HmacSHA256");
            mac.init(new javax.crypto.spec.SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(signed.getBytes(UTF_8)));
        } catch (java.security.GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    Received.Response send(RawRequest request) throws IOException {
        Received received = RawHttp.exchange(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port()), request, PATIENCE);
        return (Received.Response) received;
    }

    int post(RawRequest request) throws IOException {
        return send(request).status();
    }

    ExecutorService threads() {
        return threads;
    }

    /** Rows in a table of the gateway's webhooks. */
    long rows(String table) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from semel_webhooks." + table)) {
            row.next();
            return row.getLong(1);
        }
    }

    long remembered() throws SQLException {
        return rows("inbox_0") + rows("inbox_1");
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - deadline < 0, what);
            LockSupport.parkNanos(5_000_000);
        }
    }

    /** Also what the relay writes down about it. */
    void awaitEmpty() throws SQLException {
        await("the outbox is empty", () -> {
            try {
                return rows("outbox") == 0;
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Override
    public void close() {
        gateway.close();
        if (upstream != null) upstream.stop(0);
        threads.shutdownNow();
    }
}
