package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A gateway falls silent for longer than its lease while its operation runs, counts as dead, and comes back. */
class PausedGatewayTest {
    private static final String KEY = "paused";

    @Test
    void at_most_once_the_late_answer_of_the_paused_gateway_ends_the_doubt() throws Exception {
        try (TemporaryFolder folder = OpenStore.folder();
                PostgresServer database = OpenStore.postgres(folder);
                CountingUpstream upstream = CountingUpstream.start();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                GatewayProcess paused = start(database, upstream, config(folder, "at-most-once"));
                GatewayProcess other = start(database, upstream, config(folder, "at-most-once"))) {
            CountDownLatch answers = upstream.holdAnswers(key -> true);
            Future<Answer> first = threads.submit(() -> order(paused));
            Await.until("the upstream has it", () -> upstream.effects(KEY) == 1);
            paused.process().signal("STOP");
            Await.until("the other gateway is in doubt", () -> {
                String told = order(other).summary();
                assertTrue(List.of("409 in-progress", "409 outcome-unknown").contains(told), told);
                return told.equals("409 outcome-unknown");
            });
            answers.countDown();
            paused.process().signal("CONT");
            assertEquals(201, first.get().status(), first.get().text());
            assertEquals(first.get().essence(), order(other).essence());
            assertEquals(1, upstream.effects(KEY));
        }
    }

    @Test
    void at_least_once_the_paused_gateway_changes_nothing_when_it_comes_back() throws Exception {
        try (TemporaryFolder folder = OpenStore.folder();
                PostgresServer database = OpenStore.postgres(folder);
                CountingUpstream upstream = CountingUpstream.start();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                GatewayProcess paused = start(database, upstream, config(folder, "at-least-once"));
                GatewayProcess other = start(database, upstream, config(folder, "at-least-once"))) {
            CountDownLatch answers = upstream.holdAnswers(key -> true);
            Future<Answer> first = threads.submit(() -> order(paused));
            Await.until("the upstream has it", () -> upstream.effects(KEY) == 1);
            upstream.holdNothingMore();
            paused.process().signal("STOP");
            List<Answer> told = new ArrayList<>();
            Await.until("the other gateway has taken over", () -> {
                told.add(order(other));
                return !told.getLast().summary().equals("409 in-progress");
            });
            assertEquals(201, told.getLast().status(), told.getLast().text());
            answers.countDown();
            paused.process().signal("CONT");
            assertEquals(told.getLast().essence(), first.get().essence());
            assertEquals(told.getLast().essence(), order(paused).essence());
            assertEquals(2, upstream.effects(KEY));
        }
    }

    private static Path config(TemporaryFolder folder, String guarantee) throws IOException {
        return Files.writeString(folder.path().resolve("semel.yml"), """
            routes:
              - match: POST /v1/orders
                guarantee: %s
                lease: 1s
                in-flight: reject
            """.formatted(guarantee));
    }

    private static GatewayProcess start(PostgresServer database, CountingUpstream upstream, Path config)
            throws Exception {
        return GatewayProcess.start(database.jdbcUrl(), upstream.url(), config);
    }

    private static Answer order(GatewayProcess gateway) throws IOException {
        try (Client client = new Client(gateway.port())) {
            return client.order(KEY);
        }
    }
}
