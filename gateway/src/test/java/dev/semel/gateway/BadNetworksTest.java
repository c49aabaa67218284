package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
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
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Clients that take what they can get: each gets a clear answer or a closed connection, and the rest is served. */
@Timeout(60)
@Isolated("It counts the open files of the process")
class BadNetworksTest {
    private static final String LIMITS =
            "{ head: 4KiB, head-time: 400ms, body-time: 500ms, idle: 20s, connections: 1000, streams: 5 }";
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final String HEAD = "POST /required/charges HTTP/1.1\r\nHost: localhost\r\nX-Scenario: slow\r\n";

    private ScriptedUpstream upstream;
    private Gateway gateway;

    @BeforeEach
    void startUpstream() throws IOException {
        upstream = ScriptedUpstream.start();
    }

    private void start(String limits) {
        String yaml = """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0 }
            accept-lost-keys: true
            upstream: { url: http://127.0.0.1:%d }
            limits: %s
            routes:
              - match: "POST /required/**"
                key: required
                limits: { response: 64MiB }
            """.formatted(upstream.port(), limits);
        gateway = switch (ConfigReader.read(yaml, "limits.yaml", name -> null, null)) {
            case ConfigReader.Result.Valid(GatewayConfig config) -> Gateway.start(config, new InMemoryKeyStore());
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }

    @AfterEach
    void stop() throws Exception {
        try {
            if (gateway != null) servesOthers();
        } finally {
            upstream.close();
            if (gateway != null) gateway.close();
        }
    }

    private void servesOthers() throws IOException {
        RawRequest charge =
                RawRequest.charge("/required/charges").key(UUID.randomUUID().toString());
        assertEquals(201, send(charge.header("X-Scenario", "others")).status());
    }

    private InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port());
    }

    private Received.Response send(RawRequest request) throws IOException {
        Received received = RawHttp.exchange(address(), request, TIMEOUT);
        return assertInstanceOf(Received.Response.class, received, received::toString);
    }

    private String trickle(String beginning, String forEver) throws IOException {
        return SlowSender.into(gateway.port(), beginning, forEver, TIMEOUT);
    }

    private static void is(int status, String problem, String said) {
        assertTrue(said.matches("(?s)HTTP/1\\.[01] " + status + " .*"), said);
        assertTrue(said.contains("urn:semel:problem:" + problem), said);
        assertTrue(said.toLowerCase().contains("connection: close"), said);
    }

    @Test
    void a_head_that_trickles_is_told_so_and_closed() throws Exception {
        start(LIMITS);
        is(408, "too-slow", trickle("POST /requi", "x"));
        is(408, "too-slow", trickle("", "\r\n"));
        is(408, "too-slow", trickle(HEAD, "X-Y: 1\r\n"));
        is(408, "too-slow", trickle(HEAD + "X-Y", "y"));
        is(408, "too-slow", trickle(HEAD + "X-Y: 1\r", "\nX-Z: 1\r"));
        assertEquals(0, upstream.ledger().seen("slow").size());
    }

    @Test
    void a_slow_head_behind_a_good_request_on_the_same_connection_leaves_that_one_its_answer() throws Exception {
        start(LIMITS);
        String good = HEAD + "Idempotency-Key: pipelined\r\nContent-Length: 2\r\n\r\n{}";
        String said = trickle(good + "POST /requ", "x");
        assertTrue(said.startsWith("HTTP/1.1 201 "), said);
        is(408, "too-slow", said.substring(said.lastIndexOf("HTTP/1.")));
        assertEquals(1, upstream.ledger().effects("slow"));
    }

    @Test
    void who_connects_and_says_nothing_is_closed_without_a_word() throws Exception {
        start(LIMITS);
        try (RawHttp silent = RawHttp.connect(address(), TIMEOUT)) {
            assertTrue(silent.isEnded());
        }
    }

    @Test
    void a_body_that_trickles_is_told_so_and_its_key_is_as_good_as_new() throws Exception {
        start(LIMITS);
        String keyed = HEAD + "Idempotency-Key: slow-1\r\n";
        is(408, "too-slow", trickle(keyed + "Content-Length: 1000\r\n\r\n{", " "));
        is(408, "too-slow", trickle(keyed + "Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"));
        is(408, "too-slow", trickle(keyed + "Transfer-Encoding: chunked\r\n\r\n2;", "y"));
        is(408, "too-slow", trickle(keyed + "Transfer-Encoding: chunked\r\n\r\n0\r\n", "X: y\r\n"));
        assertEquals(0, upstream.ledger().seen("slow").size());
        RawRequest charge = RawRequest.charge("/required/charges").key("slow-1").header("X-Scenario", "slow");
        assertEquals("1", attemptOf(charge));
    }

    private String attemptOf(RawRequest charge) throws IOException {
        assertEquals(201, send(charge).status());
        return upstream.ledger().seen("slow").getFirst().headers().first("Semel-Attempt");
    }

    @Test
    void a_body_that_trickles_through_to_the_upstream_is_ended_too() throws Exception {
        start(LIMITS);
        String plain = "POST /plain/charges HTTP/1.1\r\nHost: localhost\r\nX-Scenario: slow\r\n";
        is(408, "too-slow", trickle(plain + "Content-Length: 1000\r\n\r\n{", " "));
        assertEquals(0, upstream.ledger().effects("slow"));
    }

    @Test
    void a_body_that_nobody_reads_must_come_in_time_too() throws Exception {
        start(LIMITS);
        String said = trickle(HEAD + "Content-Length: 1000\r\n\r\n{", " ");
        assertTrue(said.startsWith("HTTP/1.1 400 ") && said.contains("key-missing"), said);
    }

    @Test
    void too_much_of_a_head_is_told_so() throws Exception {
        start(LIMITS);
        RawRequest charge = RawRequest.charge("/required/charges");
        is(431, "head-too-large", trickle(HEAD + "X-Y: " + "y".repeat(5_000), "y"));
        assertEquals(431, send(charge.header("X-Y", "y".repeat(100_000))).status());
        RawRequest many = charge;
        for (int i = 0; i < 300; i++) many = many.header("X" + i, "");
        assertEquals(431, send(many).status());
        assertEquals(
                414, send(charge.to("/required/charges?" + "y".repeat(100_000))).status());
    }

    @Test
    void an_answer_that_is_not_fetched_does_not_stay_in_memory() throws Exception {
        start(LIMITS);
        RawRequest big =
                RawRequest.charge("/required/big?bytes=40000000").key("big").header("X-Scenario", "big");
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4096);
            socket.connect(address());
            socket.getOutputStream().write(big.bytes());
            assertTrue(upstream.ledger().awaitArrivals("big", 1, TIMEOUT));
            Descriptors.awaitClosedByPeer(socket, TIMEOUT);
        }
        assertEquals(40_000_000, send(big).body().length);
        assertEquals(1, upstream.ledger().effects("big"));
    }

    @Test
    void there_is_room_for_so_many_connections_and_again_when_some_have_left() throws Exception {
        start("{ connections: 3 }");
        RawRequest hello = RawRequest.get("/plain/hello");
        List<RawHttp> inside = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                RawHttp connection = RawHttp.connect(address(), TIMEOUT);
                inside.add(connection);
                connection.send(hello.bytes());
                assertInstanceOf(Received.Response.class, connection.receive("GET"));
            }
            Received fourth = RawHttp.exchange(address(), hello, TIMEOUT);
            assertEquals(0, assertInstanceOf(Received.CutOff.class, fourth).count());
        } finally {
            for (RawHttp connection : inside) connection.close();
        }
        Descriptors.await(TIMEOUT, () -> RawHttp.exchange(address(), hello, TIMEOUT) instanceof Received.Response);
    }

    @Test
    void bad_connections_leave_no_descriptors_behind() throws Exception {
        start(LIMITS);
        servesOthers();
        long before = Descriptors.open();
        List<RawHttp> open = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                RawHttp connection = RawHttp.connect(address(), TIMEOUT);
                open.add(connection);
                String bad = switch (i % 5) {
                    case 0 -> "";
                    case 1 -> HEAD;
                    case 2 -> HEAD + "Idempotency-Key: d" + i + "\r\nContent-Length: 10\r\n\r\n{";
                    case 3 -> "no HTTP at all\r\n\r\n";
                    default -> "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nrubbish and more rubbish";
                };
                connection.send(bad.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
            }
            for (RawHttp connection : open) assertTrue(connection.isEnded());
        } finally {
            for (RawHttp connection : open) connection.close();
        }
        Descriptors.await(TIMEOUT, () -> Descriptors.open() <= before + 5);
    }
}
