package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The gateway is killed while the upstream works: the effect has happened, and nobody is left who could be told. */
class KilledInFlightTest {
    private static final Duration SHORT = Duration.ofSeconds(1);

    /** A store that one process owns knows after a restart that its holders are dead, however long their leases are. */
    private static Duration lease(OpenStore.Kind kind) {
        return kind == OpenStore.Kind.ROCKSDB ? Duration.ofMinutes(10) : SHORT;
    }

    private static final List<String> KEYS = List.of("in-flight-1", "in-flight-2", "in-flight-3", "in-flight-4");

    @ParameterizedTest
    @EnumSource
    void an_operation_whose_gateway_died_is_in_doubt_and_never_sent_again(OpenStore.Kind kind) throws Exception {
        try (OpenStore store = kind.open();
                CountingUpstream upstream = CountingUpstream.start();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                GatewayProcess gateway =
                        GatewayProcess.start(store.url(), upstream.url(), rejecting(store, lease(kind)))) {
            CountDownLatch answers = upstream.holdAnswers(key -> true);
            List<Future<Answer>> attempts = new ArrayList<>();
            for (String key : KEYS) attempts.add(threads.submit(() -> order(gateway, key)));
            for (String key : KEYS) Await.until("the upstream has " + key, () -> upstream.effects(key) == 1);
            aLivingGatewayKeepsItsKeys(gateway);

            gateway.kill9();
            long killed = System.nanoTime();
            for (Future<Answer> attempt : attempts) hasFailed(attempt);
            gateway.restart();
            for (String key : KEYS) endsInDoubt(gateway, key, killed, lease(kind) == SHORT);

            answers.countDown();
            for (String key : KEYS) {
                assertEquals("409 outcome-unknown", order(gateway, key).summary());
                assertEquals(1, upstream.effects(key), key);
            }
        }
    }

    private static Path rejecting(OpenStore store, Duration lease) throws IOException {
        return store.write("semel.yml", """
            routes:
              - match: POST /v1/orders
                lease: %ds
                in-flight: reject
            """.formatted(lease.toSeconds()));
    }

    private static Answer order(GatewayProcess gateway, String key) throws IOException {
        try (Client client = new Client(gateway.port())) {
            return client.order(key);
        }
    }

    /** For much longer than the lease, which is renewed while the operation runs. */
    private static void aLivingGatewayKeepsItsKeys(GatewayProcess gateway) throws Exception {
        long end = System.nanoTime() + SHORT.multipliedBy(2).toNanos();
        Await.until("two leases have passed", () -> {
            for (String key : KEYS) {
                Answer answer = order(gateway, key);
                assertEquals("409 in-progress", answer.summary());
                assertEquals("1", answer.header("Retry-After"));
            }
            return System.nanoTime() - end > 0;
        });
    }

    private static void hasFailed(Future<Answer> attempt) {
        ExecutionException failure = assertThrows(ExecutionException.class, attempt::get);
        assertTrue(failure.getCause() instanceof IOException, failure.toString());
    }

    /** In progress until the lease has run out, where others may hold keys, and in doubt after that. */
    private static void endsInDoubt(GatewayProcess gateway, String key, long killed, boolean shared) throws Exception {
        Await.until("the lease of " + key + " has run out", () -> {
            boolean over = !shared || System.nanoTime() - killed > SHORT.toNanos();
            Answer answer = order(gateway, key);
            if (answer.summary().equals("409 in-progress") && !over) return false;
            assertEquals("409 outcome-unknown", answer.summary());
            assertTrue(answer.header("Location").startsWith("/.semel/v1/keys/" + key), answer.header("Location"));
            Answer status = Client.get(gateway.port(), answer.header("Location"));
            assertTrue(status.text().contains("\"state\":\"in-doubt\""), status.text());
            return true;
        });
    }
}
