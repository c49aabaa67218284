package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a dead gateway leaves behind is found out by asking the upstream; and what two gateways know, both know. */
@Isolated("It measures how soon a waiter is woken")
class ProbedGatewayTest {
    private static final String ROUTES = """
        routes:
          - match: POST /v1/orders
            lease: 1s
            in-flight: wait 10s
            upstream: { url: "%s", timeout: 20s }
            probe: { get: "/v1/orders-by-key/{key}", found: 200, absent: 404, status: 201, after: 100ms, back-off: 100ms }
          - match: PUT /v1/accounts/{id}
            order: { version: "header:If-Match" }
        """;

    private static Path config(Path folder, CountingUpstream upstream) throws IOException {
        return Files.writeString(folder.resolve("semel.yml"), ROUTES.formatted(upstream.url()));
    }

    private static Answer order(GatewayProcess gateway, String key) throws IOException {
        try (Client client = new Client(gateway.port())) {
            return client.order(key);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_client_whose_gateway_died_in_flight_gets_its_original_charge(OpenStore.Kind kind) throws Exception {
        try (OpenStore store = kind.open();
                CountingUpstream upstream = CountingUpstream.start();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                GatewayProcess gateway = GatewayProcess.start(
                        store.url(), upstream.url(), store.write("semel.yml", ROUTES.formatted(upstream.url())))) {
            CountDownLatch answers = upstream.holdAnswers(key -> true);
            Future<Answer> lost = threads.submit(() -> order(gateway, "charged"));
            Await.until("the upstream has it", () -> upstream.effects("charged") == 1);
            gateway.kill9();
            upstream.holdNothingMore();
            gateway.restart();
            Await.until("the retry has the charge", () -> {
                Answer answer = order(gateway, "charged");
                if (answer.status() == 409) return false;
                assertEquals(201, answer.status(), answer.text());
                assertEquals("{\"order\":\"charged\",\"effect\":1}", answer.text());
                assertTrue(answer.isReplay());
                return true;
            });
            assertEquals(1, upstream.effects("charged"));
            answers.countDown();
            assertTrue(lost.isDone() || lost.cancel(true));
        }
    }

    @Test
    void what_a_dead_gateway_left_is_ended_without_a_retry() throws Exception {
        try (TemporaryFolder folder = OpenStore.folder();
                PostgresServer database = OpenStore.postgres(folder);
                CountingUpstream upstream = CountingUpstream.start();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                GatewayProcess gateway =
                        GatewayProcess.start(database.jdbcUrl(), upstream.url(), config(folder.path(), upstream))) {
            upstream.holdAnswers(key -> true);
            threads.submit(() -> order(gateway, "left"));
            Await.until("the upstream has it", () -> upstream.effects("left") == 1);
            gateway.kill9();
            Await.until("the lease is over", leaseIsOver());
            gateway.restart();
            String status = "/.semel/v1/keys/left?operation=POST%20/v1/orders";
            Await.until("the doubt is ended", () -> {
                Answer answer = Client.get(gateway.port(), status);
                return answer.text().contains("\"state\":\"done\"");
            });
            assertEquals(1, upstream.effects("left"));
        }
    }

    private static Await.Check leaseIsOver() {
        long end = System.nanoTime() + Duration.ofMillis(1100).toNanos();
        return () -> System.nanoTime() - end > 0;
    }

    @Test
    void two_gateways_share_doubts_waiters_and_the_order_of_writes() throws Exception {
        try (TemporaryFolder folder = OpenStore.folder();
                PostgresServer database = OpenStore.postgres(folder);
                CountingUpstream upstream = CountingUpstream.start();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                GatewayProcess one =
                        GatewayProcess.start(database.jdbcUrl(), upstream.url(), config(folder.path(), upstream));
                GatewayProcess two =
                        GatewayProcess.start(database.jdbcUrl(), upstream.url(), config(folder.path(), upstream))) {
            waitersAreWokenAcross(one, two, upstream, threads);
            writesKeepTheirOrderAcross(one, two);
            oneProbesForBoth(one, two, upstream, threads);
        }
    }

    /** The middle of several rounds, after some to warm up: it is about waking, not about a cold start. */
    private static void waitersAreWokenAcross(
            GatewayProcess one, GatewayProcess two, CountingUpstream upstream, ExecutorService threads)
            throws Exception {
        List<Duration> woken = new ArrayList<>();
        for (int round = 0; round < 8; round++) {
            Duration after = wokenAfter("woken-" + round, one, two, upstream, threads);
            if (round > 2) woken.add(after);
        }
        Collections.sort(woken);
        assertTrue(woken.get(woken.size() / 2).compareTo(Duration.ofMillis(250)) < 0, "woken after " + woken);
    }

    private static Duration wokenAfter(
            String key, GatewayProcess one, GatewayProcess two, CountingUpstream upstream, ExecutorService threads)
            throws Exception {
        CountDownLatch answers = upstream.holdAnswers(key::equals);
        Future<Answer> first = threads.submit(() -> order(one, key));
        Await.until("the upstream has it", () -> upstream.effects(key) == 1);
        Future<Answer> waiting = threads.submit(() -> order(two, key));
        // Later requests to the same gateway make the same way to the store and back, and overtake it: it waits.
        for (int i = 0; i < 20; i++)
            assertEquals(201, order(two, key + "-later-" + i).status());
        assertFalse(waiting.isDone());
        answers.countDown();
        assertEquals(201, first.get().status());
        long known = System.nanoTime();
        assertTrue(waiting.get().isReplay());
        assertEquals(1, upstream.effects(key));
        return Duration.ofNanos(System.nanoTime() - known);
    }

    private static void writesKeepTheirOrderAcross(GatewayProcess one, GatewayProcess two) throws IOException {
        try (Client here = new Client(one.port());
                Client there = new Client(two.port())) {
            assertEquals(201, here.write("/v1/accounts/42", 3).status());
            assertEquals(201, there.write("/v1/accounts/42", 4).status());
            assertEquals("409 stale-write", here.write("/v1/accounts/42", 3).summary());
            assertEquals("409 stale-write", there.write("/v1/accounts/42", 3).summary());
            assertEquals(201, here.write("/v1/accounts/42", 4).status());
        }
    }

    private static void oneProbesForBoth(
            GatewayProcess one, GatewayProcess two, CountingUpstream upstream, ExecutorService threads)
            throws Exception {
        upstream.holdAnswers(key -> key.equals("doubtful"));
        threads.submit(() -> order(one, "doubtful"));
        Await.until("the upstream has it", () -> upstream.effects("doubtful") == 1);
        one.kill9();
        upstream.holdNothingMore();
        int before = upstream.probes();
        one.restart();
        List<Future<Answer>> retries = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            GatewayProcess gateway = i % 2 == 0 ? one : two;
            retries.add(threads.submit(() -> settled(gateway)));
        }
        for (Future<Answer> retry : retries)
            assertEquals(
                    "{\"order\":\"doubtful\",\"effect\":" + effectOf(retry.get()) + "}",
                    retry.get().text());
        assertEquals(1, upstream.effects("doubtful"));
        assertEquals(1, upstream.probes() - before, "one asks for the whole fleet");
    }

    private static Answer settled(GatewayProcess gateway) throws Exception {
        Answer answer = order(gateway, "doubtful");
        for (; answer.status() == 409; answer = order(gateway, "doubtful")) Thread.onSpinWait();
        return answer;
    }

    private static String effectOf(Answer answer) {
        return answer.text().replaceAll(".*\"effect\":([0-9]+).*", "$1");
    }
}
