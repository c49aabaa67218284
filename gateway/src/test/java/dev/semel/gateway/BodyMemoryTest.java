package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.testkit.http.RawHttp;
import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.Received;
import dev.semel.testkit.http.ScriptedUpstream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What bodies hold in memory is counted, and given back on every way out. */
@Timeout(60)
class BodyMemoryTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int MIB = 1 << 20;

    private ScriptedUpstream upstream;
    private Gateway gateway;

    @BeforeEach
    void start() throws IOException {
        upstream = ScriptedUpstream.start();
        String yaml = """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0 }
            accept-lost-keys: true
            upstream: { url: http://127.0.0.1:%1$d }
            limits: { memory: 4MiB, body-time: 500ms, streams: 1000 }
            routes:
              - match: POST /small/**
                limits: { request: 1KiB, response: 4KiB }
              - match: POST /hasty/**
                upstream: { url: http://127.0.0.1:%1$d, timeout: 1s }
              - match: POST /large/**
                limits: { request: 1GiB, response: 1GiB }
            """.formatted(upstream.port());
        GatewayConfig config = assertInstanceOf(
                        ConfigReader.Result.Valid.class, ConfigReader.read(yaml, "memory.yaml", name -> null, null))
                .config();
        gateway = Gateway.start(config, new InMemoryKeyStore());
    }

    @AfterEach
    void stop() throws Exception {
        gateway.close();
        upstream.close();
    }

    private Received.Response send(RawRequest request) throws IOException {
        Received received = RawHttp.exchange(front(), request, TIMEOUT);
        return assertInstanceOf(Received.Response.class, received, received::toString);
    }

    private InetSocketAddress front() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port());
    }

    private static RawRequest fresh(String target) {
        return RawRequest.charge(target).key(UUID.randomUUID().toString()).header("X-Scenario", "memory");
    }

    private static RawRequest with(RawRequest request, int bytes) {
        return request.body("application/octet-stream", new byte[bytes]);
    }

    private void nothingIsHeld() {
        await(held -> held == 0);
        assertEquals(0, gateway.bodies().inUse());
    }

    private boolean await(LongPredicate held) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!held.test(gateway.bodies().inUse())) {
            if (System.nanoTime() > deadline) return false;
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }

    @Test
    void whatever_becomes_of_a_request_its_memory_is_given_back() throws Exception {
        RawRequest charge = fresh("/any/charges");
        assertEquals(201, send(charge).status());
        assertEquals(201, send(charge).status());
        assertEquals(201, send(with(fresh("/any/charges"), MIB)).status());
        assertEquals(413, send(with(fresh("/small/charges"), 2000)).status());
        assertEquals(
                413, send(with(fresh("/small/charges"), 2000).inChunksOf(100)).status());
        assertEquals(413, send(with(fresh("/large/charges"), 3 * MIB)).status(), "never any room for that");
        for (String lost :
                List.of("dies-before", "dies-in-body", "half-answer", "short-answer", "half-chunks", "never"))
            assertTrue(send(with(fresh("/hasty/" + lost), 30_000)).status() >= 502, lost);
        assertEquals(200, send(fresh("/small/big?bytes=100000")).status());
        assertEquals(200, send(fresh("/any/big?bytes=1000000")).status());
        assertEquals(400, send(fresh("/any/charges").key("")).status());
        assertEquals(
                404,
                send(RawRequest.get("/.semel/v1/keys/x?operation=POST%20/x")).status());
        assertEquals(200, send(RawRequest.get("/.semel/v1/openapi.json")).status());
        assertEquals(400, send(RawRequest.post("/.semel/v1/claims").json("{}")).status());
        nothingIsHeld();
    }

    @Test
    void clients_that_stall_leave_or_do_not_read_give_their_memory_back() throws Exception {
        RawRequest large = fresh("/any/big?bytes=1000000");
        assertEquals(200, send(large).status());
        byte[] half = Arrays.copyOf(with(fresh("/any/charges"), MIB).bytes(), MIB / 2);
        for (boolean stays : List.of(true, false)) {
            Socket stalled = connect(half);
            Socket waiting = connect(fresh("/hasty/never").bytes());
            Socket deaf = connect(large.bytes());
            Socket live = connect(fresh("/small/big?bytes=5000000").bytes());
            assertTrue(awaitHeld(MIB / 4), "nothing was counted");
            if (!stays) for (Socket one : List.of(stalled, waiting, deaf, live)) one.close();
            nothingIsHeld();
            for (Socket one : List.of(stalled, waiting, deaf, live)) one.close();
        }
    }

    private Socket connect(byte[] bytes) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(front());
        socket.getOutputStream().write(bytes);
        return socket;
    }

    private boolean awaitHeld(long bytes) {
        return await(held -> held >= bytes);
    }

    @Test
    void streams_of_http_2_that_are_reset_or_starved_give_their_memory_back() throws Exception {
        RawRequest large = fresh("/any/big?bytes=1000000");
        assertEquals(200, send(large).status());
        String key = String.valueOf(large.headers().first("Idempotency-Key"));
        try (RawFrames client = new RawFrames(new Socket(InetAddress.getLoopbackAddress(), gateway.port()), 4, 0)) {
            byte[] upload = RawFrames.head("POST", "/any/charges", "idempotency-key", "h2", "x-scenario", "memory");
            client.send(RawFrames.HEADERS, RawFrames.END_HEADERS, 1, upload);
            for (int i = 0; i < 3; i++) client.send(RawFrames.DATA, 0, 1, new byte[16_000]);
            byte[] replay = RawFrames.head(
                    "POST", "/any/big?bytes=1000000", "idempotency-key", key, "content-type", "application/json");
            client.send(RawFrames.HEADERS, RawFrames.END_HEADERS, 3, replay);
            byte[] body = large.body();
            client.send(RawFrames.DATA, RawFrames.END_STREAM, 3, body == null ? new byte[0] : body);
            assertTrue(awaitHeld(1_048_000), "nothing was counted");
            client.send(RawFrames.RESET, 0, 1, RawFrames.number(8, 4));
            assertNotNull(client.next(RawFrames.RESET), "who gives no room for the answer is given up");
            nothingIsHeld();
        }
    }

    @Test
    @SuppressWarnings("try") // a client hangs up half-way
    void beyond_the_limit_clients_are_told_to_come_back_and_nothing_runs() throws Exception {
        byte[] most =
                Arrays.copyOf(with(fresh("/large/charges"), 2 * MIB - 8192).bytes(), 2 * MIB - 9000);
        try (Socket stalled = connect(most)) {
            assertTrue(awaitHeld(2 * MIB - 10_000), "nothing was counted");
            RawRequest refused = with(fresh("/any/charges"), 100_000);
            for (RawRequest request : List.of(refused, refused.inChunksOf(20_000))) {
                Received.Response answer = send(request);
                assertEquals(503, answer.status(), answer::toString);
                assertTrue(answer.text().contains("urn:semel:problem:overloaded"), answer::toString);
                assertNotNull(answer.headers().first("Retry-After"));
                assertNotNull(answer.headers().first("Idempotency-Expires"));
            }
            assertEquals(201, send(fresh("/any/charges")).status(), "small ones still pass");
            assertEquals(1, upstream.ledger().effects("memory"));
            stalled.close();
            nothingIsHeld();
            assertEquals(201, send(refused).status());
        }
        assertTrue(gateway.bodies().refusals() >= 2);
    }

    @Test
    void an_answer_for_which_there_is_no_room_reaches_its_client_and_never_runs_again() throws Exception {
        RawRequest charge = fresh("/large/big?bytes=6000000");
        Received.Response first = send(charge);
        assertEquals(200, first.status());
        assertEquals(6_000_000, first.body().length);
        Received.Response replay = send(charge);
        assertEquals("true", replay.headers().first("Idempotent-Replayed"));
        assertTrue(replay.text().contains("response-not-kept"), replay::toString);
        assertEquals(1, upstream.ledger().effects("memory"));
        nothingIsHeld();
    }
}
