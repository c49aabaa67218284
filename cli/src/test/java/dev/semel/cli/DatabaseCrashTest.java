package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.semel.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The database of a living gateway is killed with SIGKILL under load, and comes back. */
class DatabaseCrashTest {
    private static final int CRASHES = 2;
    private static final int CLIENTS = 32;
    private static final int HELD = 4;

    @Test
    void a_gateway_outlives_its_database_and_nothing_is_lost_or_run_twice() throws Exception {
        Map<String, Answer> held = new ConcurrentHashMap<>();
        try (TemporaryFolder folder = OpenStore.folder();
                PostgresServer database = OpenStore.postgres(folder);
                CountingUpstream upstream = CountingUpstream.start();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                GatewayProcess gateway = GatewayProcess.start(database.jdbcUrl(), upstream.url(), config(folder));
                SteadyOrders orders = new SteadyOrders(gateway.port())) {
            orders.begin(CLIENTS);
            for (int crash = 0; crash < CRASHES; crash++) {
                orders.awaitMore("201", 300);
                CountDownLatch answers = upstream.holdAnswers(key -> key.startsWith("held-"));
                Map<String, Future<Answer>> sent = send(crash, upstream, gateway, threads);
                database.kill9();
                answers.countDown();
                orders.awaitMore("503 store-unavailable", CLIENTS);
                withoutKeyAllIsWell("crash-" + crash, upstream, gateway);
                assertEquals(503, gateway.readiness().status());
                for (String key : sent.keySet()) held.put(key, sent.get(key).get());
                database.restart();
                Await.until("ready again", () -> gateway.readiness().status() == 200);
            }
            orders.awaitMore("201", 300);
            orders.stop();
            held.forEach((key, answer) -> assertEquals("504 outcome-unknown", answer.summary(), key));
            everyKeyEndsAsItWasTold(held, upstream, gateway);
            everyKeyEndsAsItWasTold(orders.told(), upstream, gateway);
        }
    }

    /** With a lease that no outage here outlasts. */
    private static Path config(TemporaryFolder folder) throws IOException {
        return Files.writeString(folder.path().resolve("semel.yml"), """
            routes:
              - match: POST /v1/orders
                lease: 5m
            """);
    }

    /** Orders that the upstream has carried out and not answered yet. */
    private static Map<String, Future<Answer>> send(
            int crash, CountingUpstream upstream, GatewayProcess gateway, ExecutorService threads) throws Exception {
        Map<String, Future<Answer>> sent = new ConcurrentHashMap<>();
        for (int i = 0; i < HELD; i++) {
            String key = "held-" + crash + "-" + i;
            sent.put(key, threads.submit(() -> order(gateway, key)));
        }
        for (String key : sent.keySet()) Await.until("the upstream has " + key, () -> upstream.effects(key) == 1);
        return sent;
    }

    private static Answer order(GatewayProcess gateway, String key) throws IOException {
        try (Client client = new Client(gateway.port())) {
            return client.order(key);
        }
    }

    private static void withoutKeyAllIsWell(String name, CountingUpstream upstream, GatewayProcess gateway)
            throws IOException {
        try (Client client = new Client(gateway.port())) {
            for (int i = 0; i < 20; i++) {
                String order = name + "-" + i;
                assertEquals(201, client.unguardedOrder(order).status());
                assertEquals(1, upstream.effects(order));
            }
        }
    }

    /** Answered stays answered; refused was never sent, and now runs; in doubt has run, and its answer was not lost. */
    private static void everyKeyEndsAsItWasTold(
            Map<String, Answer> told, CountingUpstream upstream, GatewayProcess gateway) throws Exception {
        Crowd.work(CLIENTS, List.of(gateway.port()), told.entrySet(), (client, entry) -> {
            String key = entry.getKey();
            Answer before = entry.getValue();
            Answer end = finalAnswer(client, key);
            String both = key + ": " + before.summary() + ", then " + end.text();
            assertEquals(201, end.status(), both);
            assertEquals(1, upstream.effects(key), both);
            switch (before.summary()) {
                case "201" -> assertEquals(before.essence(), end.essence(), key);
                case "503 store-unavailable" -> assertTrue(!end.isReplay(), both);
                case "504 outcome-unknown" -> assertTrue(end.isReplay(), both);
                default -> fail(both);
            }
        });
    }

    private static Answer finalAnswer(Client client, String key) throws Exception {
        List<Answer> answers = new ArrayList<>();
        Await.until(() -> "the end of " + key + ", but " + answers.getLast().text(), () -> {
            answers.add(client.order(key));
            return !answers.getLast().problem().equals("in-progress");
        });
        return answers.getLast();
    }
}
