package dev.semel.broker.webhook;

import static dev.semel.broker.webhook.Scene.message;
import static dev.semel.broker.webhook.Scene.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.broker.webhook.Receiver.Reply;
import dev.semel.broker.webhook.Receiver.Request;
import dev.semel.broker.webhook.delivery.WebhookDeliveries;
import dev.semel.broker.webhook.delivery.WebhookDeliveries.State;
import dev.semel.broker.webhook.delivery.WebhookEvent;
import dev.semel.broker.webhook.endpoint.Endpoint;
import dev.semel.broker.webhook.endpoint.MessageFilter;
import dev.semel.webhook.SigningKey;
import dev.semel.webhook.Verification;
import dev.semel.webhook.WebhookScheme;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** From a shipment of the relay to what an endpoint gets, over days that pass by hand. */
@ExtendWith(SharedPostgres.class)
@Timeout(30)
class DeliveryTest {
    /** As the docs say, not as the code does. */
    private static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(5),
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            Duration.ofHours(2),
            Duration.ofHours(5),
            Duration.ofHours(10),
            Duration.ofHours(14),
            Duration.ofHours(20),
            Duration.ofHours(24));

    private Scene scene;

    @BeforeEach
    void open() throws Exception {
        scene = new Scene();
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void a_message_arrives_signed_as_standard_webhooks_says() throws Exception {
        var added = scene.add(Endpoint.Plan.to(scene.receiver.url("/hooks?a=b")));
        String trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        UUID id = scene.publish(
                        message("orders", "k", "{\"paid\":true}", Map.of("traceparent", trace, "secret-note", "x")))
                .getFirst();
        Request request = scene.receiver.await(1).getFirst();
        assertEquals("POST", request.method());
        assertEquals("/hooks?a=b", request.path());
        assertEquals(id.toString(), request.id());
        assertEquals("application/json", request.headers().get("content-type"));
        assertEquals("Semel-Webhooks", request.headers().get("user-agent"));
        assertEquals(trace, request.headers().get("traceparent"));
        assertEquals(null, request.headers().get("secret-note"), "headers of a message are for consumers inside");
        assertEquals("{\"paid\":true}", request.text());
        Verification verified = new WebhookScheme.Standard(
                        List.of(SigningKey.parse(added.secret().verifying())), WebhookScheme.TOLERANCE)
                .verify(request.headers()::get, request.body(), scene.time.instant());
        assertEquals(id.toString(), assertGenuine(verified).id());
        until(() -> scene.is(id, added.id(), State.DELIVERED));
        assertEquals(200, scene.deliveries.attempts(id).getFirst().status());
    }

    private static Verification.Genuine assertGenuine(Verification verified) {
        return org.junit.jupiter.api.Assertions.assertInstanceOf(Verification.Genuine.class, verified);
    }

    @Test
    void every_attempt_has_the_same_id_and_the_pauses_grow_over_three_days_until_the_delivery_is_dead()
            throws Exception {
        UUID endpoint = scene.add("/down");
        scene.receiver.answer(request -> new Reply(500, Map.of(), "it is\u0007 broken " + "x".repeat(5000)));
        UUID id = scene.publish("m").getFirst();
        until(() -> scene.line(id, endpoint).attempts() == 1);
        for (Duration pause : PAUSES) {
            Duration waited = scene.nextAttempt(id, endpoint);
            assertTrue(
                    waited.compareTo(pause) >= 0 && waited.toMillis() <= pause.toMillis() * 1.2 + 1,
                    waited + " instead of " + pause);
        }
        until(() -> scene.is(id, endpoint, State.DEAD));
        assertEquals(10, scene.receiver.requests().size());
        assertEquals(Set.of(id.toString()), ids(scene.receiver.requests()));
        assertEquals("status-500", scene.line(id, endpoint).kind());
        assertEquals(10, scene.deliveries.attempts(id).size());
        String body = String.valueOf(scene.deliveries.attempts(id).getFirst().body());
        assertTrue(body.startsWith("it is  broken xxx") && body.length() <= 512, body);
        assertEquals(1, scene.events(WebhookEvent.Died.class).size());

        scene.time.advance(Duration.ofDays(1));
        scene.receiver.answer(200);
        scene.endpoints.enable(endpoint);
        assertEquals(1, scene.deliveries.redrive(endpoint, null, false));
        until(() -> scene.is(id, endpoint, State.DELIVERED));
        assertEquals(Set.of(id.toString()), ids(scene.receiver.requests()), "a redrive keeps the id");
        assertEquals(0, scene.deliveries.redrive(endpoint, id, false), "it is not dead any more");
        assertEquals(1, scene.deliveries.redrive(endpoint, id, true));
        assertEquals(id.toString(), scene.receiver.await(12).getLast().id());
    }

    private static Set<String> ids(List<Request> requests) {
        Set<String> ids = new HashSet<>();
        requests.forEach(it -> ids.add(it.id()));
        return ids;
    }

    @Test
    void two_endpoints_fail_and_recover_each_for_itself() throws Exception {
        UUID one = scene.add("/one");
        UUID other = scene.add("/other");
        scene.receiver.answer(request -> Reply.of(request.path().equals("/one") ? 503 : 200));
        UUID id = scene.publish("m").getFirst();
        until(() -> scene.is(id, other, State.DELIVERED));
        until(() -> scene.line(id, one).attempts() == 1);
        scene.receiver.answer(request -> Reply.of(request.path().equals("/one") ? 200 : 503));
        UUID second = scene.publish("n").getFirst();
        until(() -> scene.line(second, other).attempts() == 1);
        scene.nextAttempt(id, one);
        until(() -> scene.is(id, one, State.DELIVERED));
        assertEquals(State.OPEN, scene.line(second, other).state());
        assertEquals(
                2,
                scene.receiver.requests("/one").stream()
                        .filter(it -> it.id().equals(id.toString()))
                        .count());
        assertEquals(
                1,
                scene.receiver.requests("/other").stream()
                        .filter(it -> it.id().equals(id.toString()))
                        .count(),
                "a failure elsewhere sends nothing twice");
    }

    @Test
    void a_shipment_that_is_handed_over_twice_is_delivered_once() throws Exception {
        UUID endpoint = scene.add("/h");
        var message = message("k", "m");
        scene.publish(message, message("k", "n"));
        until(() -> scene.is(message.id(), endpoint, State.DELIVERED));
        scene.publish(message);
        UUID last = scene.publish("last").getFirst();
        until(() -> scene.is(last, endpoint, State.DELIVERED));
        assertEquals(3, scene.receiver.requests().size());
    }

    @Test
    void retry_after_is_heeded_up_to_a_day_and_holds_the_endpoint() throws Exception {
        UUID endpoint = scene.add("/busy");
        scene.receiver.answer(request -> Reply.of(429, "Retry-After", "3600"));
        UUID first = scene.publish("m").getFirst();
        until(() -> scene.line(first, endpoint).attempts() == 1);
        assertEquals(
                Duration.ofHours(1),
                Duration.between(
                        scene.time.instant(), scene.line(first, endpoint).dueAt()));
        UUID second = scene.publish("n").getFirst();
        scene.time.advance(Duration.ofMinutes(59));
        UUID elsewhere = scene.add("/elsewhere");
        scene.publish("o");
        scene.receiver.await("/elsewhere", 1);
        assertEquals(0, scene.line(second, endpoint).attempts(), "it asked to be left alone");
        assertNotNull(elsewhere);

        scene.receiver.answer(request -> Reply.of(503, "Retry-After", "999999999"));
        scene.time.advance(Duration.ofMinutes(1));
        until(() -> scene.receiver.requests("/busy").size() == 2);
        until(() -> scene.line(first, endpoint).attempts()
                        + scene.line(second, endpoint).attempts()
                == 2);
        UUID tried = scene.line(first, endpoint).attempts() == 2 ? first : second;
        assertEquals(
                Duration.ofHours(24),
                Duration.between(
                        scene.time.instant(), scene.line(tried, endpoint).dueAt()));
    }

    @Test
    void gone_disables_the_endpoint_and_what_waits_is_sent_when_it_is_enabled() throws Exception {
        UUID endpoint = scene.add("/gone");
        scene.receiver.answer(410);
        UUID id = scene.publish("m").getFirst();
        assertEquals(
                endpoint,
                scene.awaitEvent(WebhookEvent.EndpointDisabled.class, 1).endpoint());
        assertTrue(scene.endpoints.list().getFirst().disabled().reason().contains("410"));
        scene.receiver.answer(200);
        UUID later = scene.publish("n").getFirst();
        scene.time.advance(Duration.ofDays(1));
        UUID elsewhere = scene.add("/elsewhere");
        UUID third = scene.publish("o").getFirst();
        until(() -> scene.is(third, elsewhere, State.DELIVERED));
        assertEquals(1, scene.receiver.requests("/gone").size(), "nothing is sent to a disabled endpoint");

        assertTrue(scene.endpoints.enable(endpoint));
        for (UUID each : List.of(id, later, third)) until(() -> scene.is(each, endpoint, State.DELIVERED));
    }

    @Test
    void what_waits_at_a_disabled_endpoint_for_too_long_is_dead_and_can_be_redriven() throws Exception {
        UUID endpoint = scene.add(Endpoint.Plan.to(scene.receiver.url("/h")).withMaxAge(Duration.ofHours(1)))
                .id();
        scene.endpoints.disable(endpoint, "a test");
        UUID id = scene.publish("m").getFirst();
        scene.time.advance(Duration.ofMinutes(61));
        scene.another(scene.settings);
        until(() -> scene.is(id, endpoint, State.DEAD));
        assertEquals("expired", scene.line(id, endpoint).kind());
        scene.endpoints.enable(endpoint);
        assertEquals(1, scene.deliveries.redrive(endpoint, id, false));
        until(() -> scene.is(id, endpoint, State.DELIVERED));
    }

    @Test
    void the_breaker_opens_tries_one_at_a_time_and_costs_waiting_deliveries_no_attempt() throws Exception {
        UUID endpoint = scene.add("/down");
        scene.receiver.answer(500);
        scene.publish(IntStream.range(0, 10).mapToObj(Integer::toString).toArray(String[]::new));
        scene.awaitEvent(WebhookEvent.BreakerOpened.class, 1);
        until(() -> scene.receiver.requests().size() == 10);
        List<UUID> waiting = scene.publish("a", "b", "c");
        scene.another(scene.settings);
        scene.time.advance(Duration.ofSeconds(29));
        UUID elsewhere = scene.add("/elsewhere");
        scene.receiver.answer(request -> Reply.of(request.path().equals("/down") ? 500 : 200));
        UUID third = scene.publish("d").getFirst();
        until(() -> scene.is(third, elsewhere, State.DELIVERED));
        assertEquals(10, scene.receiver.requests("/down").size(), "the breaker is open");
        for (UUID each : waiting) assertEquals(0, scene.line(each, endpoint).attempts());

        CountDownLatch answer = new CountDownLatch(1);
        scene.receiver.answer(request -> {
            awaitQuietly(answer);
            return Reply.of(200);
        });
        scene.time.advance(Duration.ofSeconds(2));
        scene.receiver.await("/down", 11);
        UUID fourth = scene.publish("e").getFirst();
        until(() -> scene.receiver.requests("/elsewhere").size() == 2);
        assertEquals(11, scene.receiver.requests("/down").size(), "one probe at a time, of all relays");
        answer.countDown();
        scene.awaitEvent(WebhookEvent.BreakerClosed.class, 1);
        for (UUID each : waiting) until(() -> scene.is(each, endpoint, State.DELIVERED));
        until(() -> scene.is(fourth, endpoint, State.DELIVERED));
        assertEquals(1, scene.events(WebhookEvent.BreakerOpened.class).size());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) throw new IllegalStateException("nobody let it go on");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void an_endpoint_that_has_taken_nothing_for_five_days_is_disabled() throws Exception {
        UUID endpoint = scene.add("/down");
        scene.receiver.answer(500);
        scene.publish(IntStream.range(0, 12).mapToObj(Integer::toString).toArray(String[]::new));
        scene.awaitEvent(WebhookEvent.BreakerOpened.class, 1);
        scene.time.advance(Duration.ofDays(5).plusMinutes(1));
        scene.publish("later");
        assertEquals(
                endpoint,
                scene.awaitEvent(WebhookEvent.EndpointDisabled.class, 1).endpoint());
        assertTrue(scene.events(WebhookEvent.EndpointDisabled.class)
                .getFirst()
                .reason()
                .contains("nothing since"));
    }

    @Test
    void in_order_a_failing_delivery_holds_back_its_key_and_no_other() throws Exception {
        UUID endpoint = scene.addInOrder("/ordered");
        scene.receiver.answer(request -> Reply.of(request.text().equals("a1") ? 500 : 200));
        List<UUID> ids = scene.publish(message("a", "a1"), message("b", "b1"), message("a", "a2"), message("b", "b2"));
        UUID later = scene.publish(message("a", "a3")).getFirst();
        until(() -> scene.is(ids.get(3), endpoint, State.DELIVERED));
        until(() -> scene.line(ids.get(0), endpoint).attempts() == 1);
        UUID keyless = scene.publish("keyless").getFirst();
        until(() -> scene.is(keyless, endpoint, State.DELIVERED));
        assertEquals(List.of("a1"), texts("a"));
        scene.receiver.answer(200);
        scene.nextAttempt(ids.getFirst(), endpoint);
        until(() -> scene.is(later, endpoint, State.DELIVERED));
        assertEquals(List.of("a1", "a1", "a2", "a3"), texts("a"));
        assertEquals(List.of("b1", "b2"), texts("b"));
    }

    private List<String> texts(String beginning) {
        return scene.receiver.requests().stream()
                .map(Request::text)
                .filter(it -> it.startsWith(beginning))
                .toList();
    }

    @Test
    void in_order_many_senders_deliver_each_key_in_its_order() throws Exception {
        UUID endpoint = scene.addInOrder("/ordered");
        scene.another(scene.settings);
        scene.another(scene.settings);
        Map<String, Integer> failures = new java.util.concurrent.ConcurrentHashMap<>();
        scene.receiver.answer(request -> {
            boolean fails = request.text().endsWith("3") && failures.merge(request.text(), 1, Integer::sum) == 1;
            return Reply.of(fails ? 502 : 200);
        });
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++)
            ids.addAll(scene.publish(message("a", "a" + i), message("b", "b" + i), message("c", "c" + i)));
        while (scene.count("select count(*) from semel.webhook_delivery where state = 'delivered'") < 60) {
            // Much slower than leases end.
            for (int i = 0; i < 5; i++) Scene.pause();
            scene.time.advance(Duration.ofMillis(100));
        }
        for (String key : List.of("a", "b", "c")) {
            List<String> got = texts(key);
            List<String> distinct = got.stream().distinct().toList();
            assertEquals(IntStream.range(0, 20).mapToObj(i -> key + i).toList(), distinct);
            assertEquals(22, got.size(), "two of each key failed once: " + got);
        }
        assertEquals(0, scene.events(WebhookEvent.LeaseLost.class).size());
        assertEquals(60, ids.stream().distinct().count());
        assertNotNull(endpoint);
    }

    @Test
    void in_order_what_is_behind_a_dead_delivery_waits_for_a_redrive_or_a_drop() throws Exception {
        UUID endpoint = scene.add(
                        Endpoint.Plan.to(scene.receiver.url("/h")).inOrder(true).withMaxAge(Duration.ofHours(1)))
                .id();
        scene.receiver.answer(request -> Reply.of(request.text().equals("a1") ? 400 : 200));
        List<UUID> ids = scene.publish(message("a", "a1"), message("a", "a2"));
        until(() -> scene.line(ids.getFirst(), endpoint).attempts() == 1);
        while (!scene.is(ids.getFirst(), endpoint, State.DEAD)) scene.nextAttempt(ids.getFirst(), endpoint);
        UUID other = scene.publish(message("b", "b1")).getFirst();
        until(() -> scene.is(other, endpoint, State.DELIVERED));
        assertEquals(0, scene.line(ids.getLast(), endpoint).attempts());
        assertTrue(scene.deliveries.drop(endpoint, ids.getFirst()));
        until(() -> scene.is(ids.getLast(), endpoint, State.DELIVERED));
        assertEquals(State.DROPPED, scene.line(ids.getFirst(), endpoint).state());
    }

    @Test
    void a_relay_and_other_endpoints_are_not_held_up_by_one_that_does_not_answer() throws Exception {
        UUID slow = scene.add("/slow");
        UUID quick = scene.add("/quick");
        CountDownLatch answer = new CountDownLatch(1);
        scene.receiver.answer(request -> {
            if (request.path().equals("/slow")) awaitQuietly(answer);
            return Reply.of(200);
        });
        List<UUID> ids =
                scene.publish(IntStream.range(0, 50).mapToObj(Integer::toString).toArray(String[]::new));
        for (UUID id : ids) until(() -> scene.is(id, quick, State.DELIVERED));
        until(() -> scene.receiver.requests("/slow").size() >= 16);
        assertEquals(16, scene.receiver.requests("/slow").size(), "its share, and no more");
        answer.countDown();
        for (UUID id : ids) until(() -> scene.is(id, slow, State.DELIVERED));
        assertEquals(50, scene.receiver.requests("/slow").size());
    }

    @Test
    void a_lease_is_longer_than_a_request_and_only_its_holder_settles() throws Exception {
        Endpoint.Plan plan = Endpoint.Plan.to(scene.receiver.url("/h")).withTimeout(Duration.ofSeconds(50));
        UUID endpoint = scene.add(plan).id();
        CountDownLatch answer = new CountDownLatch(1);
        scene.receiver.answer(request -> {
            if (scene.receiver.requests().size() == 1) {
                awaitQuietly(answer);
                return Reply.of(500);
            }
            return Reply.of(200);
        });
        UUID id = scene.publish("m").getFirst();
        scene.receiver.await(1);
        Duration lease =
                Duration.between(scene.time.instant(), scene.line(id, endpoint).dueAt());
        assertTrue(lease.compareTo(plan.timeout().plusSeconds(15)) > 0, "overlapping deliveries: " + lease);
        assertTrue(scene.line(id, endpoint).underWay());

        scene.time.advance(lease);
        until(() -> scene.is(id, endpoint, State.DELIVERED));
        answer.countDown();
        scene.awaitEvent(WebhookEvent.LeaseLost.class, 1);
        WebhookDeliveries.Line line = scene.line(id, endpoint);
        assertEquals(State.DELIVERED, line.state(), "the late failure changes nothing");
        assertEquals(1, line.attempts());
        assertEquals(2, scene.receiver.requests().size());
    }

    @Test
    void a_sender_that_is_killed_in_the_middle_of_a_request_loses_nothing() throws Exception {
        UUID endpoint = scene.add("/h");
        CountDownLatch answer = new CountDownLatch(1);
        scene.receiver.answer(request -> {
            awaitQuietly(answer);
            return Reply.of(200);
        });
        scene.broker.close();
        UUID id = scene.publish("m").getFirst();
        Process process = SenderMain.start(scene.databaseUrl, Path.of("target"));
        try {
            scene.receiver.await(1);
        } finally {
            process.destroyForcibly().waitFor();
        }
        answer.countDown();
        assertEquals(State.OPEN, scene.line(id, endpoint).state());
        // The child went by the clock of the database.
        java.time.Instant due = scene.line(id, endpoint).dueAt();
        scene.time.advance(Duration.between(scene.time.instant(), due).minusMillis(1));
        scene.another(scene.settings);
        UUID elsewhere = scene.add("/elsewhere");
        UUID next = scene.publish("n").getFirst();
        until(() -> scene.is(next, elsewhere, State.DELIVERED));
        assertEquals(State.OPEN, scene.line(id, endpoint).state(), "its lease is not over");
        scene.time.advance(Duration.ofMillis(2));
        until(() -> scene.is(id, endpoint, State.DELIVERED));
        List<Request> got = scene.receiver.requests("/h").stream()
                .filter(it -> it.text().equals("m"))
                .toList();
        assertEquals(2, got.size());
        assertEquals(Set.of(id.toString()), ids(got));
    }

    @Test
    void only_wanted_messages_come_and_never_those_of_another_tenant() throws Exception {
        UUID all = scene.add("/all");
        UUID acme = scene.add(Endpoint.Plan.to(scene.receiver.url("/acme"))
                        .ofTenant("acme")
                        .with(new MessageFilter(List.of("orders"), List.of("order.*"))))
                .id();
        List<UUID> ids = scene.publish(
                message("orders", null, "1", Map.of("tenant", "acme")),
                message("orders", null, "2", Map.of("Tenant", "other")),
                message("orders", null, "3", Map.of()),
                message("invoices", null, "4", Map.of("tenant", "acme")));
        for (UUID id : ids) until(() -> scene.is(id, all, State.DELIVERED));
        until(() -> scene.is(ids.getFirst(), acme, State.DELIVERED));
        assertEquals(1, scene.receiver.requests("/acme").size());
        assertEquals(5, scene.count("select count(*) from semel.webhook_delivery"));

        scene.endpoints.remove(all);
        scene.endpoints.remove(acme);
        scene.publish("nobody wants it");
        assertEquals(4, scene.count("select count(*) from semel.webhook_message"));
    }

    @Test
    void what_is_over_is_forgotten_after_a_while_and_what_waits_is_not() throws Exception {
        UUID good = scene.add("/good");
        UUID bad = scene.add("/bad");
        scene.receiver.answer(request -> Reply.of(request.path().equals("/bad") ? 500 : 200));
        UUID id = scene.publish("m").getFirst();
        until(() -> scene.is(id, good, State.DELIVERED));
        until(() -> scene.line(id, bad).attempts() == 1);
        scene.endpoints.disable(bad, "a test");
        scene.execute("update semel.webhook_endpoint set max_age_seconds = 2592000 where id = ?", bad);
        scene.time.advance(Duration.ofDays(8));
        scene.another(scene.settings);
        until(() -> scene.deliveries.of(id).size() == 1);
        until(() -> scene.deliveries.attempts(id).isEmpty());
        assertEquals(bad, scene.deliveries.of(id).getFirst().endpoint());
        scene.endpoints.remove(bad);
        scene.another(scene.settings);
        until(() -> scene.count("select count(*) from semel.webhook_message") == 0);
    }

    @Test
    void a_database_that_goes_away_is_waited_for() throws Exception {
        UUID endpoint = scene.add("/h");
        CountDownLatch answer = new CountDownLatch(1);
        scene.receiver.answer(request -> {
            awaitQuietly(answer);
            return Reply.of(200);
        });
        UUID id = scene.publish("m").getFirst();
        scene.receiver.await(1);
        scene.database.getHikariPoolMXBean().softEvictConnections();
        scene.count(
                "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = current_database() and"
                        + " pid <> pg_backend_pid()");
        answer.countDown();
        until(() -> scene.is(id, endpoint, State.DELIVERED));
        assertEquals(1, scene.receiver.requests().size());
    }
}
