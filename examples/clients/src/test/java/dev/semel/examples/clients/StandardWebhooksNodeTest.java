package dev.semel.examples.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.broker.webhook.WebhookBroker;
import dev.semel.broker.webhook.WebhookSettings;
import dev.semel.broker.webhook.delivery.WebhookDeliveries;
import dev.semel.broker.webhook.delivery.WebhookEvent;
import dev.semel.broker.webhook.endpoint.Endpoint;
import dev.semel.broker.webhook.endpoint.NewSecret;
import dev.semel.broker.webhook.endpoint.SecretSeal;
import dev.semel.broker.webhook.endpoint.WebhookEndpoints;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.testkit.postgres.PostgresServer;
import dev.semel.webhook.SigningKey;
import dev.semel.webhook.Verification;
import dev.semel.webhook.WebhookScheme;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The library of Standard Webhooks for Node verifies what a relay sends, and signs what we verify. */
@Timeout(120)
class StandardWebhooksNodeTest {
    private static final Path ROOT = Path.of(System.getProperty("semel.root", "../.."));
    private static final Path LIBRARY =
            Path.of("target", "standardwebhooks-node").toAbsolutePath();
    private static final Path SCRIPT =
            Path.of("src", "test", "node", "webhook.mjs").toAbsolutePath();

    private record Received(String id, String time, String signature, String body) {}

    @BeforeAll
    static void install() throws Exception {
        Command.run(ROOT, "bash", "scripts/standardwebhooks-node.sh", LIBRARY.toString())
                .succeeded();
    }

    @Test
    void a_webhook_of_a_relay_is_genuine_by_the_old_and_by_the_new_secret(@TempDir Path folder) throws Exception {
        BlockingQueue<Received> received = new LinkedBlockingQueue<>();
        HttpServer receiver = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        receiver.createContext("/", exchange -> {
            received.add(new Received(
                    exchange.getRequestHeaders().getFirst("webhook-id"),
                    exchange.getRequestHeaders().getFirst("webhook-timestamp"),
                    exchange.getRequestHeaders().getFirst("webhook-signature"),
                    new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
        try (PostgresServer postgres = PostgresServer.startFromClassPath(folder);
                HikariDataSource database = new HikariDataSource()) {
            database.setJdbcUrl(postgres.jdbcUrl());
            WebhookEndpoints endpoints = WebhookEndpoints.open(database, SecretSeal.NONE);
            String url = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/";
            WebhookEndpoints.Added added = endpoints.add(Endpoint.Plan.to(url), NewSecret.Kind.HMAC);
            endpoints.rotate(added.id(), NewSecret.Kind.ED25519, Duration.ofHours(1));
            NewSecret second = endpoints.rotate(added.id(), NewSecret.Kind.HMAC, Duration.ofHours(1));
            assertNotNull(second);
            UUID id = UUID.randomUUID();
            send(database, id, "{\"paid\": \"19.99 €\"}");
            Received it = received.take();
            assertEquals(id.toString(), it.id());
            assertEquals("genuine\n", verified(added.secret().verifying(), it));
            assertEquals("genuine\n", verified(second.verifying(), it));
            assertEquals("No matching signature found\n", verified(SigningKey.newSecret(), it));
        } finally {
            receiver.stop(0);
        }
    }

    private static void send(HikariDataSource database, UUID id, String body) throws Exception {
        WebhookSettings settings = WebhookSettings.parse("webhook:?http=true&allow=127.0.0.1");
        try (WebhookBroker broker = WebhookBroker.open(database, settings, WebhookEvent.Listener.NONE);
                Publisher publisher = broker.open(new ShardLease(0, 1))) {
            publisher.publish(List.of(new OutgoingMessage(
                    id, "orders", null, "order.paid", Map.of(), body.getBytes(UTF_8), Instant.now())));
            WebhookDeliveries deliveries = WebhookDeliveries.in(database);
            while (deliveries.status().waiting() > 0) {
                LockSupport.parkNanos(5_000_000);
                if (Thread.interrupted()) throw new InterruptedException("It was not delivered.");
            }
        }
    }

    private static String verified(String secret, Received it) throws Exception {
        return Command.run(
                        LIBRARY,
                        "node",
                        SCRIPT.toString(),
                        "verify",
                        secret,
                        it.id(),
                        it.time(),
                        it.signature(),
                        it.body())
                .succeeded();
    }

    @Test
    void what_the_library_signs_is_genuine_here() throws Exception {
        String secret = SigningKey.newSecret();
        String body = "{\"paid\": \"19.99 €\"}";
        String[] said = Command.run(LIBRARY, "node", SCRIPT.toString(), "sign", secret, "msg_1", body)
                .succeeded()
                .strip()
                .split(" ");
        Map<String, String> headers =
                Map.of("webhook-id", "msg_1", "webhook-timestamp", said[0], "webhook-signature", said[1]);
        Verification verified = new WebhookScheme.Standard(List.of(SigningKey.parse(secret)), WebhookScheme.TOLERANCE)
                .verify(headers::get, body.getBytes(UTF_8), Instant.now());
        assertEquals(
                "msg_1", assertInstanceOf(Verification.Genuine.class, verified).id());
    }
}
