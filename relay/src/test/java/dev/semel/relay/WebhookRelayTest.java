package dev.semel.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.broker.webhook.endpoint.Endpoint;
import dev.semel.broker.webhook.endpoint.NewSecret;
import dev.semel.broker.webhook.endpoint.SecretSeal;
import dev.semel.broker.webhook.endpoint.WebhookEndpoints;
import dev.semel.messaging.relay.RelaySettings;
import dev.semel.testkit.postgres.PostgresServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Base64;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From one SQL call to a request at an endpoint, by the relay as it runs as a process. */
@Timeout(60)
class WebhookRelayTest {
    private static final SecretSeal SEAL = SecretSeal.of(Base64.getEncoder().encodeToString(new byte[32]));

    @Test
    void what_is_appended_by_sql_arrives_at_an_endpoint_and_shows_in_the_metrics(@TempDir Path folder)
            throws Exception {
        BlockingQueue<String> ids = new LinkedBlockingQueue<>();
        HttpServer receiver = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        receiver.createContext("/", exchange -> {
            ids.add(String.valueOf(exchange.getRequestHeaders().getFirst("webhook-id")));
            exchange.sendResponseHeaders(exchange.getRequestURI().getPath().equals("/bad") ? 404 : 204, -1);
            exchange.close();
        });
        receiver.start();
        try (PostgresServer postgres = PostgresServer.startFromClassPath(folder)) {
            String base = "http://127.0.0.1:" + receiver.getAddress().getPort();
            add(postgres, base + "/good");
            add(postgres, base + "/bad");
            String broker = "webhook:?http=true&allow=127.0.0.0/8";
            try (RelayServer relay = RelayServer.start(options(postgres, broker), SEAL)) {
                assertEquals("webhooks", relay.brokerName());
                String id = append(postgres);
                assertEquals(id, ids.take());
                assertEquals(id, ids.take());
                String metrics = metrics(relay);
                while (!metrics.contains("semel_webhook_failed_total{kind=\"status-4xx\"} 1.0")
                        || !metrics.contains("semel_webhook_delivered_seconds_count 1")
                        || !metrics.contains("semel_webhook_waiting 1.0")) {
                    LockSupport.parkNanos(10_000_000);
                    if (Thread.interrupted()) throw new InterruptedException(metrics);
                    metrics = metrics(relay);
                }
                assertTrue(metrics.contains("semel_relay_sent_total 1.0"), metrics);
            }
            IllegalStateException key =
                    assertThrows(IllegalStateException.class, () -> RelayServer.start(options(postgres, broker)));
            assertTrue(String.valueOf(key.getMessage()).contains("SEMEL_WEBHOOK_KEY"), key.getMessage());
        } finally {
            receiver.stop(0);
        }
    }

    private static void add(PostgresServer postgres, String url) throws Exception {
        try (HikariDataSource database = new HikariDataSource()) {
            database.setJdbcUrl(postgres.jdbcUrl());
            WebhookEndpoints.open(database, SEAL).add(Endpoint.Plan.to(url), NewSecret.Kind.HMAC);
        }
    }

    private static RelayServer.Options options(PostgresServer postgres, String broker) {
        return new RelayServer.Options(
                postgres.jdbcUrl(),
                broker,
                "shop",
                "relay",
                new InetSocketAddress("127.0.0.1", 0),
                RelaySettings.DEFAULT);
    }

    private static String append(PostgresServer postgres) throws Exception {
        try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
                Statement statement = connection.createStatement();
                var row = statement.executeQuery("select semel.append(topic => 'orders', key => 'order-1',"
                        + " type => 'order.paid', payload => convert_to('{}', 'UTF8'))")) {
            row.next();
            return row.getString(1);
        }
    }

    private static String metrics(RelayServer relay) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + relay.adminPort() + "/metrics");
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
