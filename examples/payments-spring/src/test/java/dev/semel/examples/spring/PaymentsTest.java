package dev.semel.examples.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Customers who repeat themselves, at a service that is killed while they do. */
class PaymentsTest {
    private static final int KEYS = Integer.getInteger("semel.payments.keys", 5_000);
    private static final int TIMES = 3;
    private static final int CONNECTIONS = 64;
    private static final int KILLS = 5;
    private static final long SEED =
            Long.getLong("semel.seed", ThreadLocalRandom.current().nextLong());

    private final ExecutorService customers = Executors.newFixedThreadPool(CONNECTIONS);
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Semaphore answered = new Semaphore(0);
    private final AtomicInteger retries = new AtomicInteger();
    private final AtomicInteger replayed = new AtomicInteger();
    private final Map<Integer, Set<String>> answers = new ConcurrentHashMap<>();

    private PostgresServer server;
    private PaymentsProcess payments;

    @BeforeEach
    void start() throws Exception {
        Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target", "postgres-data")), "run");
        server = PostgresServer.startFromClassPath(folder);
        payments = new PaymentsProcess(server.jdbcUrl());
        payments.awaitUp();
    }

    @AfterEach
    void stop() {
        customers.shutdownNow();
        if (payments != null) payments.close();
        server.close();
    }

    @Test
    void every_order_is_charged_once_however_often_it_is_sent_and_the_service_killed() throws Exception {
        System.out.println("PaymentsTest: semel.seed=" + SEED);
        Queue<Integer> requests = new ConcurrentLinkedQueue<>(shuffled());
        List<Future<?>> working = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++)
            working.add(customers.submit(() -> {
                for (Integer order; (order = requests.poll()) != null; ) pay(order);
                return null;
            }));
        for (int kill = 0; kill < KILLS; kill++) {
            answered.acquire(KEYS * TIMES / (KILLS + 1));
            payments.killAndStart();
            payments.awaitUp();
        }
        for (Future<?> each : working) each.get();

        System.out.println("PaymentsTest: " + KEYS + " keys, each sent " + TIMES + " times and " + retries
                + " times again; " + replayed + " answers were replays");
        assertEquals(KEYS, answers.size());
        answers.forEach((order, told) -> assertEquals(1, told.size(), () -> "order " + order + " was told " + told));
        assertEquals(KEYS, count("select count(*) from charge"));
        assertEquals(KEYS, count("select count(distinct order_id) from charge"));
        assertTrue(replayed.get() > 0);
    }

    private List<Integer> shuffled() {
        List<Integer> all = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) all.addAll(Collections.nCopies(TIMES, key));
        Collections.shuffle(all, new Random(SEED));
        return all;
    }

    /** As a customer does: until there is an answer. */
    private void pay(int order) throws Exception {
        while (true) {
            try {
                HttpResponse<String> response = client.send(request(order), HttpResponse.BodyHandlers.ofString());
                switch (response.statusCode()) {
                    case 200 -> {
                        if (response.headers().firstValue("Idempotent-Replayed").isPresent())
                            replayed.incrementAndGet();
                        answers.computeIfAbsent(order, none -> ConcurrentHashMap.newKeySet())
                                .add(response.body());
                        answered.release();
                        return;
                    }
                    // In progress: held by the process that was killed, until its lease is over.
                    case 409 -> assertTrue(response.body().contains("in-progress"), response.body());
                    default -> throw new AssertionError(response.statusCode() + " " + response.body());
                }
            } catch (IOException killed) {
                payments.awaitUp();
            }
            retries.incrementAndGet();
        }
    }

    private HttpRequest request(int order) {
        return HttpRequest.newBuilder(payments.at("/v1/charges"))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "\"order-" + order + "\"")
                .POST(HttpRequest.BodyPublishers.ofString("{\"order\": \"o-" + order + "\", \"cents\": 1999}"))
                .build();
    }

    private int count(String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
                ResultSet row = connection.createStatement().executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }
}
