package dev.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.testkit.http.Received.CutOff;
import dev.semel.testkit.http.Received.Response;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client and the upstream of the contract, tried on each other. */
class ScriptedUpstreamTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private ScriptedUpstream upstream;

    @BeforeEach
    void start() throws IOException {
        upstream = ScriptedUpstream.start();
    }

    @AfterEach
    void stop() throws IOException {
        upstream.close();
    }

    private static RawRequest charge(String path) {
        return RawRequest.charge("/route/" + path).key("\"k\"").header(Ledger.SCENARIO, "s");
    }

    private Received send(RawRequest request) throws IOException {
        return RawHttp.exchange(upstream.address(), request, LIMIT);
    }

    private Response answered(RawRequest request) throws IOException {
        return assertInstanceOf(Response.class, send(request));
    }

    @Test
    void a_charge_is_an_effect_and_has_a_number_of_its_own() throws Exception {
        Response first = answered(charge("charges"));
        Response second = answered(charge("charges"));
        assertEquals(201, first.status());
        assertNotEquals(first.text(), second.text());
        assertEquals(List.of("one", "two"), first.headers().all("x-step"));
        assertEquals(2, upstream.ledger().effects("s"));
        assertEquals(2, upstream.ledger().effectsOfKey("k"));
    }

    @Test
    void every_request_is_remembered_as_it_came() throws Exception {
        answered(charge("charges?b=2&a=%20").header("X-Twice", "1").header("X-Twice", "2"));
        SeenRequest seen = upstream.ledger().seen("s").getFirst();
        assertEquals("POST /route/charges?b=2&a=%20", seen.method() + " " + seen.target());
        assertEquals(List.of("1", "2"), seen.headers().all("X-Twice"));
        assertArrayEquals(charge("charges").body(), seen.body());
    }

    @Test
    void chunks_and_lengths_carry_the_same_bytes_both_ways() throws Exception {
        byte[] bytes = Bytes.made(3_000_000);
        RawRequest request = charge("binary").body("application/octet-stream", bytes);
        assertArrayEquals(bytes, answered(request).body());
        assertArrayEquals(bytes, answered(request.inChunksOf(4321)).body());
        assertArrayEquals(
                Bytes.made(100_000),
                answered(charge("big?bytes=100000&chunked")).body());
        assertTrue(answered(charge("chunked")).text().startsWith("a body in many chunks"));
        assertTrue(answered(charge("until-close")).text().startsWith("until the end"));
        assertEquals(201, answered(charge("hints")).status());
        assertEquals(
                201,
                answered(charge("early").body("text/plain", Bytes.made(1_000_000)))
                        .status());
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 205, 304, 404, 500})
    void a_status_can_be_asked_for(int status) throws Exception {
        try (RawHttp connection = RawHttp.connect(upstream.address(), LIMIT)) {
            for (int i = 0; i < 3; i++) {
                connection.send(charge("status/" + status).bytes());
                assertEquals(status, ((Response) connection.receive("POST")).status());
            }
        }
        assertEquals(3, upstream.ledger().effects("s"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dies-after", "resets-after", "half-head", "half-answer", "short-answer", "half-chunks"})
    void a_lost_answer_is_cut_off_after_the_effect(String behaviour) throws Exception {
        assertInstanceOf(CutOff.class, send(charge(behaviour)));
        assertEquals(1, upstream.ledger().effects("s"));
    }

    @Test
    void an_upstream_that_dies_before_has_no_effect() throws Exception {
        assertInstanceOf(CutOff.class, send(charge("dies-before")));
        assertInstanceOf(CutOff.class, send(charge("dies-in-body").body("text/plain", Bytes.made(1_000_000))));
        assertEquals(0, upstream.ledger().effects("s"));
        assertEquals(2, upstream.ledger().seen("s").size());
    }

    @Test
    void what_is_no_answer_fails_with_what_came() throws Exception {
        AssertionError rubbish = assertThrows(AssertionError.class, () -> send(charge("rubbish")));
        assertTrue(rubbish.getMessage().contains("220 mail.example.com"), rubbish.getMessage());
        Duration little = Duration.ofMillis(300);
        AssertionError late = assertThrows(
                AssertionError.class, () -> RawHttp.exchange(upstream.address(), charge("stalls"), little));
        assertTrue(late.getMessage().contains("Content-Length: 100"), late.getMessage());
    }

    @Test
    void the_gate_holds_until_it_is_opened() throws Exception {
        try (RawHttp connection = RawHttp.connect(upstream.address(), LIMIT)) {
            connection.send(charge("gate").bytes());
            assertTrue(upstream.ledger().awaitArrivals("s", 1, LIMIT));
            upstream.gates().open("s");
            assertEquals(201, ((Response) connection.receive("POST")).status());
        }
        assertEquals(201, answered(charge("gate")).status());
    }

    @Test
    void a_gate_can_be_opened_for_one_attempt_alone() throws Exception {
        try (RawHttp first = RawHttp.connect(upstream.address(), LIMIT);
                RawHttp second = RawHttp.connect(upstream.address(), LIMIT)) {
            first.send(charge("gate").header("Semel-Attempt", "1").bytes());
            second.send(charge("gate").header("Semel-Attempt", "2").bytes());
            upstream.gates().open("s", 2);
            assertEquals(201, ((Response) second.receive("POST")).status());
            upstream.gates().open("s");
            assertEquals(201, ((Response) first.receive("POST")).status());
        }
    }

    @Test
    void the_beginning_of_a_stream_is_there_before_its_end() throws Exception {
        try (RawHttp connection = RawHttp.connect(upstream.address(), LIMIT)) {
            connection.send(
                    RawRequest.get("/route/stream").header(Ledger.SCENARIO, "s").bytes());
            Response response =
                    connection.receiveInTwo(5, () -> upstream.gates().open("s"));
            assertEquals("firstlast", response.text());
        }
    }

    @Test
    void the_back_door_refuses_until_it_is_opened_and_after_it_is_shut() throws Exception {
        InetSocketAddress back = new InetSocketAddress(InetAddress.getLoopbackAddress(), upstream.backDoorPort());
        for (int i = 0; i < 50; i++) {
            assertThrows(ConnectException.class, () -> RawHttp.connect(back, LIMIT));
            upstream.openBackDoor();
            Received received = RawHttp.exchange(back, charge("charges"), LIMIT);
            assertEquals(
                    List.of("X-Hop", "close"), ((Response) received).headers().all("Connection"));
            upstream.shutBackDoor();
        }
        assertThrows(ConnectException.class, () -> RawHttp.connect(back, LIMIT));
    }

    @Test
    void what_is_no_request_is_complained_about() throws Exception {
        for (String bytes : List.of("HELO\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\nHost: a\n\n")) {
            try (RawHttp connection = RawHttp.connect(upstream.address(), LIMIT)) {
                connection.send(Wire.latin1(bytes));
                assertTrue(connection.isEnded());
            }
        }
        assertEquals(3, upstream.ledger().complaints().size());
        assertEquals(List.of(), upstream.ledger().strays());
        answered(RawRequest.get("/route/hello"));
        assertEquals(1, upstream.ledger().strays().size());
    }

    @Test
    void a_client_that_sends_piece_by_piece_sends_the_same() throws Exception {
        try (RawHttp connection = RawHttp.connect(upstream.address(), LIMIT)) {
            connection.sendInPieces(charge("binary").bytes(), 1);
            Response response = (Response) connection.receive("POST");
            assertArrayEquals(charge("binary").body(), response.body());
            assertFalse(response.headers().has("Connection"));
        }
    }
}
