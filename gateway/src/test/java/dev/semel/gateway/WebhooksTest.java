package dev.semel.gateway;

import static dev.semel.gateway.WebhookScene.await;
import static dev.semel.gateway.WebhookScene.github;
import static dev.semel.gateway.WebhookScene.standard;
import static dev.semel.gateway.WebhookScene.stripe;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.gateway.WebhookScene.Delivered;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.Relay;
import dev.semel.messaging.memory.MemoryBroker;
import dev.semel.messaging.message.Message;
import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.Received;
import dev.semel.testkit.postgres.PostgresServer;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Webhooks through a real gateway, on a real database, to a real upstream. */
@Timeout(120)
@SuppressWarnings("try") // a relay that runs is all that is asked of it
class WebhooksTest {
    @TempDir
    static Path folder;

    private static PostgresServer server;

    @BeforeAll
    static void start() {
        server = PostgresServer.startFromClassPath(folder, "fsync=off", "max_connections=200");
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @Test
    void what_is_genuine_is_delivered_byte_for_byte_with_the_id_of_its_sender() throws Exception {
        try (WebhookScene scene = WebhookScene.start(server)) {
            String odd = "{ \"customer\":\t\"c 1\" , \"n\": 1.0 }";
            assertEquals(200, scene.post(standard("msg_1", odd).header("Cookie", "secret")));
            String event = "{\"id\":\"evt_1\",\"data\":{\"object\":{\"customer\":\"cus_1\"}}}";
            assertEquals(200, scene.post(stripe(event, Instant.now()).inChunksOf(7)));
            assertEquals(200, scene.post(github("72d3162e-cc78-11e3-81ab-4c9367dc0958", "{}")));
            await("all are delivered", () -> scene.taken.size() == 3);
            for (Delivered delivered : scene.taken) {
                assertEquals(delivered.id(), delivered.key());
                switch (delivered.path()) {
                    case "/internal/standard" -> {
                        assertEquals("msg_1", delivered.id());
                        assertArrayEquals(odd.getBytes(), delivered.body());
                        assertTrue(Objects.requireNonNull(delivered.signature()).startsWith("v1,"));
                        assertNull(delivered.cookie(), "what may be a secret of the sender is not kept");
                    }
                    case "/internal/stripe" -> {
                        assertEquals("evt_1", delivered.id());
                        assertEquals(event, delivered.text());
                    }
                    case "/internal/github" -> assertEquals("push", delivered.event());
                    default -> throw new AssertionError(delivered.path());
                }
            }
            scene.awaitEmpty();
            assertEquals(3, scene.remembered());
        }
    }

    @Test
    void what_is_not_genuine_leaves_no_trace_and_learns_nothing() throws Exception {
        String body = "{\"customer\":\"c\"}";
        Instant now = Instant.now();
        Map<String, RawRequest> bad = new LinkedHashMap<>();
        bad.put(
                "401 bad signature",
                standard("m1", body).without("webhook-signature").header("webhook-signature", "v1,AAAA"));
        bad.put(
                "401 other version",
                standard("m1", body).without("webhook-signature").header("webhook-signature", "v2,AAAA"));
        bad.put("401 altered body", standard("m1", body).json(body + " "));
        bad.put("401 other id", standard("m1", body).without("webhook-id").header("webhook-id", "m2"));
        bad.put("401 two ids", standard("m1", body).header("webhook-id", "m2"));
        bad.put("401 too old", standard("m1", body, now.minus(Duration.ofMinutes(6))));
        bad.put("401 from the future", standard("m1", body, now.plus(Duration.ofMinutes(6))));
        bad.put("401 no signature", standard("m1", body).without("webhook-signature"));
        bad.put("401 no time", standard("m1", body).without("webhook-timestamp"));
        bad.put("401 no id", standard("m1", body).without("webhook-id"));
        bad.put("401 of another sender", standard("m1", body).to("/hooks/stripe"));
        bad.put("401 old Stripe", stripe("{\"id\":\"evt_1\"}", now.minus(Duration.ofMinutes(6))));
        bad.put("401 Stripe without id", stripe("{\"id\":null}", now));
        bad.put("401 Stripe, no JSON", stripe("evt_1", now));
        bad.put("401 GitHub, altered", github("g1", body).json("{}"));
        bad.put("401 GitHub, no id", github("g1", body).without("X-GitHub-Delivery"));
        bad.put("400 an id that is none", standard("m 1", body));
        bad.put("405 read", RawRequest.get("/hooks/standard"));
        bad.put("413 too large", standard("m1", "x".repeat(1024 * 1024 + 1)));
        bad.put(
                "413 too large in chunks",
                standard("m1", "x".repeat(1024 * 1024 + 1)).inChunksOf(65_536));
        bad.put(
                "415 compressed",
                standard("m1", body).header("Content-Encoding", "gzip").body("application/json", gzip(body)));
        try (WebhookScene scene = WebhookScene.start(server)) {
            for (Map.Entry<String, RawRequest> each : bad.entrySet()) {
                Received.Response answer = scene.send(each.getValue());
                assertEquals(Integer.parseInt(each.getKey().substring(0, 3)), answer.status(), each.getKey());
                if (answer.status() == 401)
                    assertFalse(answer.text().matches("(?s).*(time|missing|fit|secret).*"), answer.text());
            }
            assertEquals(0, scene.remembered());
            assertEquals(0, scene.rows("outbox"));
            assertEquals(List.of(), scene.asked);
        }
    }

    private static byte[] gzip(String text) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes());
        }
        return bytes.toByteArray();
    }

    @Test
    void of_duplicates_all_are_acknowledged_and_one_is_delivered() throws Exception {
        try (WebhookScene scene = WebhookScene.start(server)) {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++)
                answers.add(scene.threads().submit(() -> scene.post(standard("msg_same", "{\"customer\":\"c\"}"))));
            for (Future<Integer> answer : answers) assertEquals(200, answer.get());
            scene.awaitEmpty();
            // GitHub does not sign its ids, so one can stand before another body: the first one counts.
            assertEquals(200, scene.post(github("g1", "{\"n\":1}")));
            assertEquals(200, scene.post(github("g1", "{\"n\":2}")));
            scene.awaitEmpty();
            assertEquals(
                    List.of("{\"customer\":\"c\"}", "{\"n\":1}"),
                    scene.taken.stream().map(Delivered::text).toList());
            assertEquals(2, scene.asked.size());
            // The same id of another sender is another webhook.
            assertEquals(200, scene.post(standard("g1", "{}")));
            await("it is delivered too", () -> scene.taken.size() == 3);
        }
    }

    @Test
    void while_the_upstream_is_away_webhooks_wait_and_keep_their_order() throws Exception {
        try (WebhookScene scene = WebhookScene.withoutUpstream(server)) {
            List<String> sent = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                String body = "{\"customer\":\"c" + i % 3 + "\",\"n\":" + i + "}";
                sent.add(body);
                assertEquals(200, scene.post(standard("msg_" + i, body)));
            }
            assertEquals(30, scene.rows("outbox"));
            // Back, and ill for a while: nothing succeeds, so nothing is to blame.
            scene.answers = delivered -> scene.asked.size() < 6 ? 503 : 200;
            scene.startUpstream();
            await("all are delivered", () -> scene.taken.size() == 30);
            scene.awaitEmpty();
            for (int customer = 0; customer < 3; customer++) {
                String of = "\"c" + customer + "\"";
                assertEquals(
                        sent.stream().filter(it -> it.contains(of)).toList(),
                        scene.taken.stream()
                                .map(Delivered::text)
                                .filter(it -> it.contains(of))
                                .toList());
            }
            assertEquals(0, scene.rows("dead_letter"));
        }
    }

    @Test
    void one_that_is_refused_holds_up_its_own_key_alone() throws Exception {
        try (WebhookScene scene = WebhookScene.start(server)) {
            boolean[] mended = {false};
            scene.answers = delivered -> delivered.text().contains("poison") && !mended[0] ? 500 : 204;
            assertEquals(200, scene.post(standard("p0", "{\"customer\":\"bad\",\"poison\":1}")));
            await("it was refused", () -> !scene.asked.isEmpty());
            assertEquals(200, scene.post(standard("p1", "{\"customer\":\"bad\",\"n\":1}")));
            for (int i = 0; i < 40; i++)
                assertEquals(200, scene.post(standard("m" + i, "{\"customer\":\"good" + i + "\"}")));
            await("all others are delivered", () -> scene.taken.size() == 40);
            assertTrue(scene.taken.stream().noneMatch(it -> it.text().contains("bad")));
            mended[0] = true;
            await("then it is", () -> scene.taken.size() == 42);
            List<String> bad = scene.taken.stream()
                    .map(Delivered::text)
                    .filter(it -> it.contains("bad"))
                    .toList();
            assertTrue(bad.getFirst().contains("poison"), bad::toString);
        }
    }

    @Test
    void nobody_else_can_send_to_where_webhooks_are_delivered() throws Exception {
        try (WebhookScene scene = WebhookScene.start(server)) {
            for (String path : List.of(
                    "/internal/stripe",
                    "/internal/stripe?x=1",
                    "/internal/stripe/",
                    "/INTERNAL/Stripe",
                    "/internal/%73tripe",
                    "/internal%2fstripe",
                    "/internal/%2573tripe",
                    "//internal//stripe",
                    "/internal/./stripe",
                    "/x/../internal/stripe",
                    "/x/%2e%2e/internal/stripe",
                    "/internal/stripe;v=1",
                    "/internal\\stripe",
                    "/internal/stripe%00",
                    "/internal/stripe%20",
                    "/internal/stripe.json"))
                for (String method : List.of("POST", "PUT", "GET")) {
                    int status = scene.post(
                            RawRequest.post(path).json("{}").withMethod(method).noKey());
                    assertTrue(status == 404 || status == 400, method + " " + path + ": " + status);
                }
            assertEquals(List.of(), scene.asked);
            assertEquals(204, scene.post(RawRequest.post("/internal/stripes").json("{}")));
            assertEquals(1, scene.asked.size());
        }
    }

    @Test
    void the_outbox_of_an_application_in_the_same_database_is_another_one() throws Exception {
        try (WebhookScene scene = WebhookScene.withoutUpstream(server)) {
            PGSimpleDataSource database = new PGSimpleDataSource();
            database.setUrl(scene.url);
            Outbox application = Outbox.open(database);
            MemoryBroker broker = new MemoryBroker();
            try (Relay relay = Relay.from(application).to(broker).start()) {
                assertEquals(200, scene.post(standard("msg_1", "{}")));
                try (Connection connection = database.getConnection()) {
                    connection.setAutoCommit(false);
                    application.append(connection, Message.of("orders", "order.paid", "paid".getBytes()));
                    connection.commit();
                }
                scene.startUpstream();
                await(
                        "both are sent",
                        () -> scene.taken.size() == 1 && broker.taken().size() == 1);
                assertEquals("/internal/standard", scene.asked.getFirst().path());
                assertEquals("orders", broker.taken().getFirst().topic());
            }
            scene.awaitEmpty();
        }
    }

    @Test
    void while_the_database_is_away_the_sender_is_asked_to_send_again(@TempDir Path apart) throws Exception {
        try (PostgresServer own = PostgresServer.startFromClassPath(apart, "fsync=off");
                WebhookScene scene = WebhookScene.start(own)) {
            RawRequest webhook = standard("msg_1", "{}");
            own.kill9();
            Received.Response refused = scene.send(webhook);
            assertEquals(503, refused.status());
            assertEquals("5", refused.headers().first("Retry-After"));
            own.restart();
            await("it is taken", () -> {
                try {
                    return scene.post(webhook) == 200;
                } catch (java.io.IOException e) {
                    throw new AssertionError(e);
                }
            });
            await("and delivered", () -> scene.taken.size() == 1);
        }
    }
}
