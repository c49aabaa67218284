package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.gateway.wire.StrictConnections;
import dev.semel.http.Headers;
import dev.semel.http.HttpRequest;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.testkit.server.FreePort;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which failure is the message's, and which the upstream's. A message says in its topic which status it gets. */
@Timeout(60)
class UpstreamBrokerTest {
    static {
        // Before anything starts Netty, as the gateway does.
        StrictConnections.enable();
    }

    private final Vertx vertx = Vertx.vertx();
    private final int port = FreePort.pick();
    private final UpstreamBroker broker = broker(Duration.ofSeconds(20));
    private HttpServer upstream;

    UpstreamBrokerTest() throws IOException {}

    private UpstreamBroker broker(Duration timeout) {
        return new UpstreamBroker(
                vertx,
                UpstreamSettings.of(URI.create("http://127.0.0.1:" + port)).withTimeout(timeout),
                new BodyBudget(64 << 20),
                message -> message.topic().equals("nowhere")
                        ? null
                        : new HttpRequest("POST", "/" + message.topic(), null, Headers.NONE, message.payload()));
    }

    private void startUpstream() throws Exception {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            int status = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
            if (status == 0) return; // never answered
            if (status == 207) LockSupport.parkNanos(Duration.ofMillis(1200).toNanos());
            byte[] large = new byte[status == 201 ? 1 << 20 : 0];
            exchange.sendResponseHeaders(status, large.length == 0 ? -1 : large.length);
            exchange.getResponseBody().write(large);
            exchange.close();
        });
        upstream.start();
    }

    @AfterEach
    void end() {
        broker.close();
        if (upstream != null) upstream.stop(0);
        vertx.close();
    }

    private List<Delivery> publish(String... topics) throws Exception {
        return publish(broker, topics);
    }

    private static List<Delivery> publish(UpstreamBroker broker, String... topics) throws Exception {
        try (Publisher publisher = broker.open(new ShardLease(0, 1))) {
            return publisher.publish(Stream.of(topics)
                    .map(topic -> new OutgoingMessage(
                            UUID.randomUUID(), topic, null, "t", Map.of(), new byte[] {1}, Instant.now()))
                    .toList());
        }
    }

    private static void blames(Delivery.Cause cause, Delivery delivery) {
        assertEquals(cause, assertInstanceOf(Delivery.Retry.class, delivery).cause(), delivery::toString);
    }

    @Test
    void an_upstream_that_cannot_be_reached_is_to_blame() throws Exception {
        for (Delivery delivery : publish("200", "500")) blames(Delivery.Cause.BROKER, delivery);
    }

    @Test
    void an_upstream_that_takes_nothing_is_to_blame() throws Exception {
        startUpstream();
        for (Delivery delivery : publish("500", "502", "503", "429", "408", "425"))
            blames(Delivery.Cause.BROKER, delivery);
    }

    @Test
    void a_message_that_fails_while_others_succeed_is_to_blame() throws Exception {
        startUpstream();
        List<Delivery> deliveries = publish("500", "200");
        blames(Delivery.Cause.MESSAGE, deliveries.get(0));
        assertInstanceOf(Delivery.Sent.class, deliveries.get(1));
        blames(Delivery.Cause.MESSAGE, publish("503").getFirst());
    }

    @Test
    void no_answer_is_like_a_failure() throws Exception {
        startUpstream();
        try (UpstreamBroker hasty = broker(Duration.ofSeconds(3))) {
            blames(Delivery.Cause.BROKER, publish(hasty, "0").getFirst());
            assertInstanceOf(Delivery.Sent.class, publish(hasty, "200").getFirst());
            blames(Delivery.Cause.MESSAGE, publish(hasty, "0").getFirst());
        }
    }

    @Test
    void a_message_that_the_upstream_does_not_want_is_to_blame() throws Exception {
        startUpstream();
        for (Delivery delivery : publish("400", "401", "404", "409", "410", "422", "302", "304"))
            blames(Delivery.Cause.MESSAGE, delivery);
        assertEquals(
                "no-path",
                assertInstanceOf(Delivery.Dead.class, publish("nowhere").getFirst())
                        .kind());
    }

    @Test
    void of_an_answer_only_the_status_counts() throws Exception {
        startUpstream();
        for (Delivery delivery : publish("200", "201", "202", "204"))
            assertInstanceOf(Delivery.Sent.class, delivery, delivery::toString);
    }

    @Test
    void a_shipment_takes_no_longer_than_was_said() throws Exception {
        startUpstream();
        try (UpstreamBroker patient = broker(Duration.ofSeconds(2));
                Publisher publisher = patient.open(new ShardLease(0, 1))) {
            assertEquals(Duration.ofSeconds(6), patient.longestPublish());
            long began = System.nanoTime();
            List<Delivery> deliveries = publisher.publish(Stream.of("207", "207", "207", "207")
                    .map(topic -> new OutgoingMessage(
                            UUID.randomUUID(), topic, "k", "t", Map.of(), new byte[0], Instant.now()))
                    .toList());
            assertTrue(System.nanoTime() - began < patient.longestPublish().toNanos());
            assertInstanceOf(Delivery.Sent.class, deliveries.getFirst());
            // More than a second each, one after the other, and none is begun after two seconds.
            blames(Delivery.Cause.ORDER, deliveries.getLast());
        }
    }
}
