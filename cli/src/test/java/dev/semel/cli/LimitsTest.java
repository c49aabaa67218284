package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.testkit.http.RawHttp;
import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.Received;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Limits of a configuration file, as its clients meet them. What is over one never reaches the upstream. */
class LimitsTest {
    private static final int BODY = 1024;
    private static final int HEAD = 2048;
    private static final String KEY = "8e03978e-40d5-43e8-bc93-6894a57f9324";
    private static final RawRequest ORDER = RawRequest.post("/v1/orders").key(KEY);

    private static CountingUpstream upstream;
    private static OpenStore store;
    private static GatewayProcess gateway;

    @BeforeAll
    static void start() throws Exception {
        upstream = CountingUpstream.start();
        store = OpenStore.Kind.ROCKSDB.open();
        gateway =
                GatewayProcess.start(store.url(), upstream.url(), store.write("semel.yml", """
                    limits: { head: %d, body-time: 300ms }
                    routes:
                      - match: POST /v1/orders
                        key-syntax: uuid
                        limits: { request: %d }
                      - match: POST /v1/refunds
                        key-syntax: { pattern: "[a-z]+-[0-9]+", min: 8, max: 12 }
                    """.formatted(HEAD, BODY)));
    }

    @AfterAll
    static void stop() throws Exception {
        if (gateway != null) gateway.close();
        if (store != null) store.close();
        if (upstream != null) upstream.close();
    }

    /** The refused key is free, too: what is just within all limits goes through under it. */
    @AfterEach
    void nothing_of_it_came_through_and_the_gateway_goes_on() throws Exception {
        assertEquals(0, upstream.effects(KEY));
        String key = UUID.randomUUID().toString();
        assertEquals(201, answer(ORDER.key(key).json(text(BODY))).status());
    }

    private static String text(int bytes) {
        return "\"" + "x".repeat(bytes - 2) + "\"";
    }

    private static RawHttp connect() throws IOException {
        InetSocketAddress front = new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port());
        return RawHttp.connect(front, Await.LONG);
    }

    private static Received.Response answer(RawRequest request) throws IOException {
        try (RawHttp connection = connect()) {
            return answer(connection, request.bytes());
        }
    }

    private static Received.Response answer(RawHttp connection, byte[] bytes) throws IOException {
        connection.send(bytes);
        Received received = connection.receive("POST");
        return assertInstanceOf(Received.Response.class, received, received::toString);
    }

    private static void isRefused(int status, String problem, Received.Response answer) {
        assertEquals(status, answer.status(), answer::toString);
        assertTrue(answer.text().contains("urn:semel:problem:" + problem + "\""), answer::toString);
    }

    @Test
    void a_body_over_the_limit_of_its_route_is_413_announced_or_not() throws Exception {
        isRefused(413, "body-too-large", answer(ORDER.json(text(BODY + 1))));
        isRefused(413, "body-too-large", answer(ORDER.json(text(BODY + 1)).inChunksOf(100)));
        assertEquals(
                201,
                answer(RawRequest.post("/v1/others").key("another-route").json(text(BODY + 1)))
                        .status());
    }

    @Test
    void a_head_over_the_limit_is_431() throws Exception {
        isRefused(431, "head-too-large", answer(ORDER.header("X-Long", "x".repeat(HEAD))));
        String key = UUID.randomUUID().toString();
        assertEquals(
                201,
                answer(ORDER.key(key).header("X-Long", "x".repeat(HEAD / 2))).status());
    }

    @Test
    void a_body_that_does_not_come_in_time_is_408() throws Exception {
        byte[] whole = ORDER.json(text(100)).bytes();
        try (RawHttp connection = connect()) {
            isRefused(408, "too-slow", answer(connection, Arrays.copyOf(whole, whole.length - 1)));
            assertTrue(connection.isEnded());
        }
    }

    @Test
    void a_key_of_another_form_than_the_route_s_is_400() throws Exception {
        for (String key : List.of("not-a-uuid", KEY + "0", KEY.replace("-", "")))
            isRefused(400, "key-malformed", answer(ORDER.key(key)));
        RawRequest refund = RawRequest.post("/v1/refunds");
        for (String key : List.of("abc-123", "abcdefgh-1234", "ABCDEF-12", "abcdef_12"))
            isRefused(400, "key-malformed", answer(refund.key(key)));
        assertEquals(0, upstream.effects("ABCDEF-12"));
        assertEquals(201, answer(refund.key("abcdef-12")).status());
    }
}
