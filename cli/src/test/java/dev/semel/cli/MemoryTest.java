package dev.semel.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.cli.HttpMessage.Field;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Clients that together ask for more memory than a gateway with a heap of 256 MiB has. They are told to come back; others
 * are served meanwhile, and the moment they hang up all is well.
 */
@Timeout(120)
class MemoryTest {
    private static final int MIB = 1 << 20;
    private static final int STALLED = 600;
    private static final int NOT_READING = 300;
    private static final int UNSENT = 100;
    private static final byte[] RECORDED = new byte[4 * MIB];

    private static CountingUpstream upstream;
    private static OpenStore store;
    private static GatewayProcess gateway;

    @BeforeAll
    static void start() throws Exception {
        Arrays.fill(RECORDED, (byte) 'x');
        upstream = CountingUpstream.start(MemoryTest::answer);
        store = OpenStore.Kind.ROCKSDB.open();
        gateway = GatewayProcess.start(store.url(), upstream.url());
    }

    private static HttpMessage answer(String key, int effect) {
        byte[] body = key.startsWith("large-") ? RECORDED : key.getBytes(US_ASCII);
        Field type = new Field("Content-Type", "text/plain");
        return new HttpMessage("HTTP/1.1 201 Created", List.of(type, CountingUpstream.length(body)), body);
    }

    @AfterAll
    static void stop() throws Exception {
        if (gateway != null) gateway.close();
        if (store != null) store.close();
        if (upstream != null) upstream.close();
    }

    @AfterEach
    void memory_never_ran_out() {
        String said = gateway.process().errorSoFar();
        assertFalse(said.contains("OutOfMemory"), said);
    }

    @Test
    void bodies_that_stall_take_no_more_than_their_share() throws Exception {
        byte[] head = head("stalled", MIB);
        byte[] bytes = Arrays.copyOf(head, head.length + MIB - UNSENT);
        try (SilentClients stalled = new SilentClients(gateway.port(), STALLED, bytes)) {
            stalled.sendAll();
            othersAreServed();
        }
        awaitOrder(UUID.randomUUID().toString(), "y".repeat(MIB - 2));
        assertEquals(0, upstream.effects("stalled"));
    }

    @Test
    void answers_that_nobody_reads_take_no_more_than_their_share() throws Exception {
        String key = "large-" + UUID.randomUUID();
        byte[] request = head(key, 0);
        assertEquals(4 * MIB, awaitOrder(key, "").body().length);
        try (SilentClients deaf = new SilentClients(gateway.port(), NOT_READING, request)) {
            deaf.sendAll();
            deaf.awaitAnswers();
            othersAreServed();
        }
        Answer replay = awaitOrder(key, "");
        assertEquals("true", replay.header("Idempotent-Replayed"));
        assertEquals(4 * MIB, replay.body().length);
        assertEquals(1, upstream.effects(key));
    }

    private static byte[] head(String key, int length) {
        return ("POST /v1/orders HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: " + key + "\r\nContent-Length: "
                        + length + "\r\n\r\n")
                .getBytes(US_ASCII);
    }

    private static void othersAreServed() throws Exception {
        for (int i = 0; i < 20; i++) {
            String key = UUID.randomUUID().toString();
            long began = System.nanoTime();
            Answer answer = Client.order(gateway.port(), key);
            assertEquals(201, answer.status(), answer::toString);
            assertTrue(System.nanoTime() - began < Duration.ofSeconds(30).toNanos(), "it took too long");
        }
        assertEquals(200, Client.get(gateway.adminPort(), "/healthz").status());
        assertEquals(200, gateway.readiness().status());
    }

    /** Until there is room again, a client is told when to come back. */
    private static Answer awaitOrder(String key, String body) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (true) {
            try (Client client = new Client(gateway.port())) {
                Answer answer = client.send("POST", "/v1/orders", body, new Field("Idempotency-Key", key));
                if (answer.status() == 201) return answer;
                assertEquals(503, answer.status(), answer::toString);
                assertFalse(answer.header("Retry-After").isEmpty(), answer::toString);
                assertTrue(System.nanoTime() < deadline, answer::toString);
            }
        }
    }
}
