package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpServer;
import dev.semel.testkit.postgres.PostgresServer;
import dev.semel.webhook.SigningKey;
import dev.semel.webhook.WebhookScheme;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real gateway that is killed with webhooks in its hands. What was acknowledged arrives; what comes twice has one id. */
@Timeout(120)
class KilledWithWebhooksTest {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    @TempDir
    Path folder;

    private final HttpClient http = HttpClient.newHttpClient();

    /** The ids that the upstream got, in order; the first of all is never answered. */
    private final List<String> got = new CopyOnWriteArrayList<>();

    private final CountDownLatch over = new CountDownLatch(1);

    private HttpServer upstream() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/internal", exchange -> {
            exchange.getRequestBody().readAllBytes();
            boolean first = got.isEmpty();
            got.add(exchange.getRequestHeaders().getFirst("webhook-id"));
            if (first) wait(over);
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static void wait(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int post(GatewayProcess gateway, String id) throws Exception {
        String body = "{\"customer\":\"c\"}";
        String time = Long.toString(Instant.now().getEpochSecond());
        byte[] signed = WebhookScheme.signed(id, time, body.getBytes(StandardCharsets.UTF_8));
        return http.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/hooks/a"))
                                .header("webhook-id", id)
                                .header("webhook-timestamp", time)
                                .header(
                                        "webhook-signature",
                                        SigningKey.parse(SECRET).sign(signed))
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static long asked(String url, String sql) throws Exception {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) return statement.getUpdateCount();
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private static void waitForStandby(String database, String name) throws Exception {
        asked(database, "alter system set synchronous_standby_names = " + name);
        asked(database, "select 1 from pg_reload_conf()");
        String now = "select count(*) from pg_settings where name = 'synchronous_standby_names' and setting = " + name;
        Await.until("the setting counts", () -> asked(database, now) == 1);
    }

    @Test
    void what_was_stored_is_delivered_by_the_next_one_under_the_same_id() throws Exception {
        HttpServer upstream = upstream();
        Path config = folder.resolve("semel.yaml");
        Files.writeString(config, """
            upstream: { url: "http://127.0.0.1:%d", timeout: 30s }
            accept-lost-keys: true
            webhooks:
              - path: /hooks/a
                scheme: standard
                secrets: [ "%s" ]
                deliver: { path: /internal/a, key: /customer }
            """.formatted(upstream.getAddress().getPort(), SECRET));
        URI url = URI.create("http://127.0.0.1:" + upstream.getAddress().getPort());
        try (PostgresServer server = PostgresServer.startFromClassPath(folder.resolve("pg"));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                GatewayProcess gateway = GatewayProcess.start(server.jdbcUrl(), url, config)) {
            assertEquals(200, post(gateway, "msg_1"));
            assertEquals(200, post(gateway, "msg_2"));
            // Delivered, not yet written down; and its successor waits behind it.
            Await.until("the upstream has the first", () -> got.equals(List.of("msg_1")));
            // On disk, not yet acknowledged: the server waits for a standby that does not exist before it answers a
            // commit.
            String database = server.jdbcUrl();
            waitForStandby(database, "'nobody'");
            Future<Integer> third = threads.submit(() -> post(gateway, "msg_3"));
            Await.until("it is being committed", () -> asked(database, """
                select count(*) from pg_stat_activity
                where application_name = 'semel-webhooks' and wait_event = 'SyncRep' and query ilike 'commit%'
                """) == 1);
            gateway.kill9();
            assertInstanceOf(
                    IOException.class,
                    assertThrows(ExecutionException.class, third::get).getCause());
            waitForStandby(database, "''");
            Await.until("it is stored", () -> asked(database, "select count(*) from semel_webhooks.outbox") == 3);

            // As if the leases had ended.
            asked(database, "update semel_webhooks.relay_shard set leased_until = '-infinity'");
            gateway.restart();
            // Senders that had no answer, for all they know.
            assertEquals(200, post(gateway, "msg_3"));
            assertEquals(200, post(gateway, "msg_1"));
            Await.until("all is delivered", () -> asked(database, "select count(*) from semel_webhooks.outbox") == 0);
            assertEquals(List.of("msg_1", "msg_1", "msg_2", "msg_3"), got);
            assertFalse(gateway.process().errorSoFar().contains("MfKQ9r8GKYqr"), "secrets are not in the log");
        } finally {
            over.countDown();
            upstream.stop(0);
        }
    }
}
