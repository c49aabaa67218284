package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.cli.HttpMessage.Field;
import dev.semel.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two gateways on one database, with tenants by a header: what is a tenant's own, and what its quota covers. */
class SharedQuotaTest {
    private static final int KEYS = 5;
    private static final int IN_FLIGHT = 2;

    private static TemporaryFolder folder;
    private static PostgresServer database;
    private static CountingUpstream upstream;
    private static GatewayProcess one;
    private static GatewayProcess two;

    @BeforeAll
    static void start() throws Exception {
        folder = OpenStore.folder();
        database = OpenStore.postgres(folder);
        upstream = CountingUpstream.start();
        Path config = Files.writeString(folder.path().resolve("semel.yml"), """
            tenant: { header: X-Api-Key, quota: { keys: %d, in-flight: %d, waiters: 1 } }
            routes:
              - match: POST /v1/orders
                in-flight: wait 60s
            """.formatted(KEYS, IN_FLIGHT));
        one = GatewayProcess.start(database.jdbcUrl(), upstream.url(), config);
        two = GatewayProcess.start(database.jdbcUrl(), upstream.url(), config);
    }

    @AfterAll
    static void stop() throws Exception {
        if (two != null) two.close();
        if (one != null) one.close();
        if (upstream != null) upstream.close();
        if (database != null) database.close();
        if (folder != null) folder.close();
    }

    private static Answer order(GatewayProcess gateway, String tenant, String key) throws IOException {
        return Client.order(gateway.port(), key, new Field("X-Api-Key", "secret-of-" + tenant));
    }

    private static void refused(String what, Answer answer) {
        assertEquals("429 quota-exceeded", answer.summary(), answer.text());
        assertTrue(answer.text().contains("(quota " + what + ")"), answer.text());
        assertTrue(Integer.parseInt(answer.header("Retry-After")) > 0);
    }

    @Test
    void kept_keys_are_counted_over_both_gateways_and_for_each_tenant() throws Exception {
        for (int i = 0; i < KEYS; i++) {
            Answer first = order(i % 2 == 0 ? one : two, "ann", "kept-" + i);
            assertEquals(201, first.status(), first.text());
            Answer elsewhere = order(i % 2 == 0 ? two : one, "ann", "kept-" + i);
            assertTrue(elsewhere.isReplay(), "both gateways take her for the same tenant");
            assertEquals(first.essence(), elsewhere.essence());
        }
        for (GatewayProcess gateway : List.of(one, two)) {
            refused("keys", order(gateway, "ann", "one-too-many"));
            assertTrue(order(gateway, "ann", "kept-0").isReplay(), "a duplicate is never refused");
        }
        assertEquals(0, upstream.effects("one-too-many"));
        Answer bob = order(two, "bob", "kept-0");
        assertEquals(201, bob.status(), bob.text());
        assertFalse(bob.isReplay());
        assertEquals("401 tenant-unknown", Client.order(one.port(), "kept-0").summary());
        assertEquals(2, upstream.effects("kept-0"));
        assertFalse(rows().contains("secret-of-ann"), "the database has her secret");
    }

    private static String rows() throws Exception {
        try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
                Statement statement = connection.createStatement();
                ResultSet all = statement.executeQuery("select string_agg(semel_key::text, ' ') from semel_key")) {
            all.next();
            String text = all.getString(1);
            assertTrue(text.contains("kept-0"), text);
            return text;
        }
    }

    @Test
    void what_runs_and_who_waits_is_counted_in_each_gateway_and_for_each_tenant() throws Exception {
        CountDownLatch answers = upstream.holdAnswers(key -> key.startsWith("slow"));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                Future<Answer> first = threads.submit(() -> order(one, "eve", "slow-1"));
                Future<Answer> second = threads.submit(() -> order(one, "eve", "slow-2"));
                Await.until("both run", () -> upstream.effects("slow-1") + upstream.effects("slow-2") == IN_FLIGHT);
                nothingNewRunsHereForEve();
                oneDuplicateWaits(threads, answers);
                assertEquals(201, first.get().status());
                assertEquals(201, second.get().status());
            } finally {
                answers.countDown();
            }
        }
        assertEquals(201, order(one, "eve", "afterwards").status());
        assertEquals(2, upstream.effects("quick"));
        assertEquals(1, upstream.effects("slow-1"));
    }

    private static void nothingNewRunsHereForEve() throws IOException {
        refused("in-flight", order(one, "eve", "quick"));
        assertEquals(0, upstream.effects("quick"));
        assertEquals(201, order(one, "mia", "quick").status(), "another tenant has its own places");
        assertEquals(201, order(two, "eve", "quick").status(), "another gateway has places of its own");
        Answer replay = order(one, "eve", "quick");
        assertTrue(replay.isReplay(), replay.text());
    }

    private static void oneDuplicateWaits(ExecutorService threads, CountDownLatch answers) throws Exception {
        CompletionService<Answer> duplicates = new ExecutorCompletionService<>(threads);
        for (int i = 0; i < 2; i++) duplicates.submit(() -> order(one, "eve", "slow-1"));
        Answer tooMany = duplicates.take().get();
        assertEquals("429 too-many-waiters", tooMany.summary(), tooMany.text());
        assertTrue(Integer.parseInt(tooMany.header("Retry-After")) > 0);
        answers.countDown();
        assertTrue(duplicates.take().get().isReplay(), "one did wait");
    }
}
