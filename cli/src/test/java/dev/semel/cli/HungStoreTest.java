package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A store that neither answers nor breaks: its processes are stopped, or its disk is frozen. Then it goes on. */
class HungStoreTest {
    private static final int CLIENTS = 20;
    private static final String HELD = "held";

    /** Five seconds for an outcome that the store does not take, a second for the last try; and a busy machine. */
    private static final Duration ANSWER = Duration.ofSeconds(8);

    private static final Duration READINESS = Duration.ofSeconds(3);
    private static final Set<String> EXPECTED =
            Set.of("201", "503 store-unavailable", "504 outcome-unknown", "409 in-progress");

    /** What makes a store hang, and what ends it. */
    private interface Fault {
        void inflict() throws Exception;

        void end() throws Exception;
    }

    private record Timed(Answer answer, Duration time) {}

    @Test
    void a_database_that_hangs_is_a_store_that_does_not_answer() throws Exception {
        try (TemporaryFolder folder = OpenStore.folder();
                PostgresServer database = OpenStore.postgres(folder)) {
            Fault stopped = new Fault() {
                @Override
                public void inflict() {
                    database.pause();
                }

                @Override
                public void end() {
                    database.resume();
                }
            };
            hangs(database.jdbcUrl(), folder, stopped);
        }
    }

    @Test
    void a_disk_that_hangs_is_a_store_that_does_not_answer() throws Exception {
        try (TemporaryFolder folder = OpenStore.folder();
                FrozenDisk disk = FrozenDisk.mountIn(folder.path())) {
            Fault frozen = new Fault() {
                @Override
                public void inflict() throws Exception {
                    disk.freeze();
                }

                @Override
                public void end() throws Exception {
                    disk.thaw();
                }
            };
            hangs("rocksdb:" + disk.path().resolve("keys"), folder, frozen);
        }
    }

    private static void hangs(String store, TemporaryFolder folder, Fault fault) throws Exception {
        try (CountingUpstream upstream = CountingUpstream.start();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                GatewayProcess gateway = GatewayProcess.start(store, upstream.url(), config(folder))) {
            CountDownLatch answers = upstream.holdAnswers(HELD::equals);
            Future<Timed> held = threads.submit(() -> timed(gateway, HELD));
            Await.until("the upstream has it", () -> upstream.effects(HELD) == 1);
            Traffic traffic = new Traffic(gateway, threads);
            traffic.awaitMore("201", 100);
            assertEquals(200, gateway.readiness().status());
            fault.inflict();
            try {
                long released = System.nanoTime();
                answers.countDown();
                notReadyInTime(gateway);
                try (Client client = new Client(gateway.port())) {
                    assertEquals(201, client.unguardedOrder("without a key").status());
                }
                traffic.awaitMore("503 store-unavailable", 2 * CLIENTS);
                assertEquals("504 outcome-unknown", held.get().answer().summary());
                within(ANSWER, Duration.ofNanos(System.nanoTime() - released), "the 504");
                notReadyInTime(gateway);
            } finally {
                fault.end();
            }
            Await.until("ready again", () -> gateway.readiness().status() == 200);
            traffic.endsWell(upstream);
            Await.until(
                    "the held outcome is recorded",
                    () -> Client.order(gateway.port(), HELD).isReplay());
            assertEquals(1, upstream.effects(HELD));
            saysSoOnce(gateway.process().errorSoFar());
        }
    }

    /** With a lease that the fault does not outlast. */
    private static Path config(TemporaryFolder folder) throws IOException {
        return Files.writeString(folder.path().resolve("semel.yml"), """
            routes:
              - match: POST /v1/orders
                key: optional
                lease: 5m
                in-flight: reject
            """);
    }

    /** What a look has found counts for a second. */
    private static void notReadyInTime(GatewayProcess gateway) throws Exception {
        Await.until("not ready", () -> {
            long asked = System.nanoTime();
            int status = gateway.readiness().status();
            within(READINESS, Duration.ofNanos(System.nanoTime() - asked), "readiness");
            return status == 503;
        });
    }

    /** Clients that send order after order, each until it is answered, with a pause after each refusal. */
    private static final class Traffic {
        private final Map<String, AtomicInteger> told = new ConcurrentHashMap<>();
        private final Set<String> keys = ConcurrentHashMap.newKeySet();
        private final List<Future<Duration>> working = new ArrayList<>();
        private volatile boolean stop;

        Traffic(GatewayProcess gateway, ExecutorService threads) {
            for (int i = 0; i < CLIENTS; i++) {
                int client = i;
                working.add(threads.submit(() -> work(gateway, "client-" + client + "-")));
            }
        }

        private Duration work(GatewayProcess gateway, String prefix) throws IOException {
            Duration longest = Duration.ZERO;
            for (int i = 0; !stop; i++) {
                keys.add(prefix + i);
                Timed answer;
                do {
                    answer = timed(gateway, prefix + i);
                    told.computeIfAbsent(answer.answer().summary(), absent -> new AtomicInteger())
                            .incrementAndGet();
                    if (answer.time().compareTo(longest) > 0) longest = answer.time();
                    if (!answer.answer().isSuccess()) Await.pause(100_000_000);
                } while (!answer.answer().isSuccess());
            }
            return longest;
        }

        void awaitMore(String summary, int answers) throws Exception {
            int before = count(summary);
            Await.until(
                    () -> answers + " times " + summary + ", but " + told, () -> count(summary) >= before + answers);
        }

        private int count(String summary) {
            AtomicInteger count = told.get(summary);
            return count == null ? 0 : count.get();
        }

        /** Also for those whose claims reached the store after they were given up: nobody holds them for long. */
        void endsWell(CountingUpstream upstream) throws Exception {
            stop = true;
            for (Future<Duration> client : working) within(ANSWER, client.get(), "an answer");
            for (String key : keys) assertEquals(1, upstream.effects(key), key);
            assertTrue(EXPECTED.containsAll(told.keySet()), told.toString());
        }
    }

    private static Timed timed(GatewayProcess gateway, String key) throws IOException {
        long began = System.nanoTime();
        Answer answer = Client.order(gateway.port(), key);
        return new Timed(answer, Duration.ofNanos(System.nanoTime() - began));
    }

    private static void within(Duration most, Duration time, String what) {
        assertTrue(time.compareTo(most) < 0, () -> what + " took " + time + ", which is more than " + most);
    }

    private static void saysSoOnce(String log) {
        assertEquals(1, count(log, "The store is lost"), log);
        assertEquals(1, count(log, "The store is back"), log);
    }

    private static int count(String text, String part) {
        return text.split(part, -1).length - 1;
    }
}
