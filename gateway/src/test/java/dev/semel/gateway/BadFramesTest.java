package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.gateway.RawFrames.Frame;
import dev.semel.gateway.config.ConnectionLimits;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.HostPort;
import dev.semel.gateway.config.TlsSettings;
import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.testkit.http.ScriptedUpstream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Floods, starvation and other abuse of HTTP/2: the connection ends with a reason, and others are served. */
@Timeout(60)
class BadFramesTest {
    private static final int PROTOCOL_ERROR = 1;
    private static final int REFUSED_STREAM = 7;
    private static final int ENHANCE_YOUR_CALM = 11;
    private static final int INITIAL_WINDOW = 4;
    private static final ConnectionLimits LIMITS = new ConnectionLimits(
            4096, Duration.ofMillis(400), Duration.ofMillis(500), Duration.ofSeconds(20), 1000, 5, 64 << 20);

    private ScriptedUpstream upstream;
    private Gateway gateway;
    private @Nullable SelfSignedCertificate own;

    @TempDir
    Path folder;

    private void start(@Nullable TlsSettings tls) throws IOException {
        upstream = ScriptedUpstream.start();
        HostPort anywhere = new HostPort("127.0.0.1", 0);
        UpstreamSettings settings = UpstreamSettings.of(URI.create("http://127.0.0.1:" + upstream.port()));
        gateway = Gateway.start(
                GatewayConfig.of(settings)
                        .withListen(anywhere)
                        .withAdmin(anywhere)
                        .withTls(tls)
                        .withLimits(LIMITS)
                        .acceptingLostKeys(),
                new InMemoryKeyStore());
    }

    @AfterEach
    void stop() throws Exception {
        try {
            servesOthers();
        } finally {
            gateway.close();
            upstream.close();
        }
    }

    private void servesOthers() throws Exception {
        try (RawFrames client = connect()) {
            assertEquals(201, charge(client, 1, "others", "/x/charges"));
        }
    }

    private RawFrames connect(int... settings) throws Exception {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port());
        return new RawFrames(own == null ? socket : tls(socket), settings);
    }

    private Socket tls(Socket socket) throws Exception {
        SSLSocket secured =
                (SSLSocket) own.context().getSocketFactory().createSocket(socket, "127.0.0.1", gateway.port(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        assertEquals("h2", secured.getApplicationProtocol());
        return secured;
    }

    private static byte[] head(String scenario, String path) {
        return RawFrames.head(
                "POST",
                path,
                "x-scenario",
                scenario,
                "idempotency-key",
                UUID.randomUUID().toString());
    }

    private static int charge(RawFrames client, int stream, String scenario, String path) throws Exception {
        client.send(RawFrames.HEADERS, RawFrames.END_HEADERS, stream, head(scenario, path));
        client.send(RawFrames.DATA, RawFrames.END_STREAM, stream, (byte) '{', (byte) '}');
        return client.status();
    }

    /** Sends the same frame until the server has had enough, or for very long. */
    private static void flood(RawFrames client, byte[] frame) throws IOException {
        ByteArrayOutputStream many = new ByteArrayOutputStream();
        for (int i = 0; i < 100; i++) many.writeBytes(frame);
        for (int i = 0; i < 1_000; i++) if (!client.write(many.toByteArray())) return;
    }

    private static void isCalmed(RawFrames client) throws IOException {
        int code = client.codeAtTheEnd();
        // Who still sends when the connection is closed loses what it has not read.
        assertTrue(code == ENHANCE_YOUR_CALM || code == -1, "GOAWAY with " + code);
    }

    @Test
    void floods_of_frames_that_bring_nothing_end_the_connection() throws Exception {
        start(null);
        for (byte[] frame : List.of(
                RawFrames.frame(RawFrames.PING, 0, 0, new byte[8]),
                RawFrames.frame(RawFrames.SETTINGS, 0, 0, new byte[] {0, 4, 0, 1, 0, 0}),
                RawFrames.frame(RawFrames.PRIORITY, 0, 3, new byte[] {0, 0, 0, 0, 16}),
                RawFrames.frame(0x42, 0, 0, new byte[100]))) {
            try (RawFrames client = connect()) {
                flood(client, frame);
                isCalmed(client);
            }
        }
    }

    @Test
    void a_flood_over_tls_ends_the_connection_too() throws Exception {
        own = SelfSignedCertificate.in(folder);
        start(new TlsSettings(own.certificate(), own.key()));
        try (RawFrames client = connect()) {
            for (int i = 0; i < 501; i++) client.send(RawFrames.PING, 0, 0, new byte[8]);
            assertEquals(ENHANCE_YOUR_CALM, client.codeAtTheEnd());
        }
    }

    @Test
    void a_flood_that_stops_in_time_is_told_why_the_connection_ends() throws Exception {
        start(null);
        try (RawFrames client = connect()) {
            for (int i = 0; i < 501; i++) client.send(RawFrames.PING, 0, 0, new byte[8]);
            assertEquals(ENHANCE_YOUR_CALM, client.codeAtTheEnd());
        }
    }

    @Test
    void requests_that_are_reset_as_soon_as_they_are_made_end_the_connection() throws Exception {
        start(null);
        try (RawFrames client = connect()) {
            for (int stream = 1; stream < 2_001; stream += 2) {
                if (!client.send(RawFrames.HEADERS, RawFrames.END_HEADERS, stream, head("reset", "/x/charges"))) break;
                client.send(RawFrames.RESET, 0, stream, RawFrames.number(8, 4));
            }
            isCalmed(client);
        }
        assertEquals(0, upstream.ledger().effects("reset"));
    }

    @Test
    void a_head_in_endless_small_pieces_ends_the_connection() throws Exception {
        start(null);
        try (RawFrames client = connect()) {
            client.send(RawFrames.HEADERS, 0, 1, head("pieces", "/x/charges"));
            flood(client, RawFrames.frame(RawFrames.CONTINUATION, 0, 1));
            isCalmed(client);
        }
        try (RawFrames client = connect()) {
            client.send(RawFrames.HEADERS, 0, 1, head("pieces", "/x/charges"));
            flood(client, RawFrames.frame(RawFrames.CONTINUATION, 0, 1, new byte[1000]));
            client.codeAtTheEnd();
        }
    }

    @Test
    void a_head_that_never_ends_ends_the_connection_in_time() throws Exception {
        start(null);
        try (RawFrames client = connect()) {
            client.send(RawFrames.HEADERS, 0, 1, head("half", "/x/charges"));
            assertEquals(ENHANCE_YOUR_CALM, client.codeAtTheEnd());
        }
    }

    @Test
    void more_streams_than_allowed_are_refused_and_the_others_are_served() throws Exception {
        start(null);
        try (RawFrames client = connect()) {
            int whole = RawFrames.END_HEADERS | RawFrames.END_STREAM;
            for (int stream = 1; stream <= 11; stream += 2)
                client.send(RawFrames.HEADERS, whole, stream, head("many", "/x/gate"));
            Frame refused = client.next(RawFrames.RESET);
            assertNotNull(refused);
            assertEquals(11, refused.stream());
            assertEquals(REFUSED_STREAM, refused.code());
            assertTrue(upstream.ledger().awaitArrivals("many", 5, Duration.ofSeconds(20)));
            upstream.gates().open("many");
            for (int i = 0; i < 5; i++) assertEquals(201, client.status());
        }
        assertEquals(5, upstream.ledger().effects("many"));
    }

    @Test
    void a_header_list_over_the_limit_is_answered_431_or_ends_the_connection() throws Exception {
        start(null);
        for (int size : List.of(4_200, 15_000)) {
            byte[] large = RawFrames.head("POST", "/x/charges", "x-scenario", "large", "x-y", "y".repeat(size));
            try (RawFrames client = connect()) {
                client.send(RawFrames.HEADERS, RawFrames.END_HEADERS | RawFrames.END_STREAM, 1, large);
                int status = client.status();
                assertTrue(status == 431 || status == -1, "status " + status);
            }
        }
        assertEquals(0, upstream.ledger().seen("large").size());
    }

    @Test
    void a_body_that_does_not_come_is_answered_408_and_its_stream_is_free_again() throws Exception {
        start(null);
        try (RawFrames client = connect()) {
            for (int stream = 1; stream <= 21; stream += 2) {
                client.send(RawFrames.HEADERS, RawFrames.END_HEADERS, stream, head("slow", "/x/charges"));
                client.send(RawFrames.DATA, 0, stream, (byte) '{');
                assertEquals(408, client.status());
                assertNotNull(client.next(RawFrames.RESET));
            }
        }
        assertEquals(0, upstream.ledger().seen("slow").size());
    }

    @Test
    void an_answer_for_which_the_client_gives_no_room_is_given_up_and_can_be_had_again() throws Exception {
        start(null);
        byte[] big = RawFrames.head("POST", "/x/big?bytes=1000000", "x-scenario", "starved", "idempotency-key", "k");
        try (RawFrames client = connect(INITIAL_WINDOW, 0)) {
            client.send(RawFrames.HEADERS, RawFrames.END_HEADERS | RawFrames.END_STREAM, 1, big);
            assertEquals(200, client.status());
            Frame reset = client.next(RawFrames.RESET);
            assertNotNull(reset);
            assertEquals(1, reset.stream());
        }
        try (RawFrames client = connect(INITIAL_WINDOW, 2_000_000)) {
            client.send(RawFrames.WINDOW_UPDATE, 0, 0, RawFrames.number(2_000_000, 4));
            client.send(RawFrames.HEADERS, RawFrames.END_HEADERS | RawFrames.END_STREAM, 1, big);
            assertEquals(200, client.status());
            int received = 0;
            while (received < 1_000_000) {
                Frame frame = client.next();
                assertNotNull(frame);
                if (frame.type() == RawFrames.DATA) received += frame.payload().length;
            }
            assertEquals(1_000_000, received);
        }
        assertEquals(1, upstream.ledger().effects("starved"));
    }

    @Test
    void what_is_no_http_2_after_all_ends_the_connection() throws Exception {
        start(null);
        try (RawFrames client = connect()) {
            client.send(RawFrames.DATA, 0, 1, (byte) 'x');
            assertEquals(PROTOCOL_ERROR, client.codeAtTheEnd());
        }
        try (RawFrames client = connect()) {
            client.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100).getBytes());
            assertTrue(client.codeAtTheEnd() != 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0001b", "a\u0000b", "a\r\n X-Evil: 1", "a\n\tX-Evil: 2", "a\u007fb"})
    void a_header_that_would_end_itself_upstream_is_refused(String value) throws Exception {
        start(null);
        for (String path : List.of("/required/charges", "/any/charges")) {
            try (RawFrames client = connect()) {
                byte[] head = RawFrames.head("POST", path, "x-scenario", "evil", "idempotency-key", "k", "x-y", value);
                client.send(RawFrames.HEADERS, RawFrames.END_HEADERS | RawFrames.END_STREAM, 1, head);
                assertEquals(400, client.status());
            }
        }
        assertEquals(List.of(), upstream.ledger().seen("evil"));
    }

    @Test
    void a_request_that_names_two_hosts_or_none_is_refused() throws Exception {
        start(null);
        String[][] hosts = {
            {"host", "localhost", "host", "localhost"},
            {"host", "localhost", "host", "other"},
            {"host", "other"},
            {"host", ""},
            {"host", "localhost:81"},
        };
        for (String[] more : hosts) isRefused(RawFrames.head("POST", "/x/charges", scenario("hosts", more)), more);
        isRefused(RawFrames.headWithoutHost("POST", "/x/charges", scenario("hosts")));
        isRefused(RawFrames.headWithoutHost("POST", "/x/charges", scenario("hosts", "host", "a", "host", "b")));
        assertEquals(List.of(), upstream.ledger().seen("hosts"));
        try (RawFrames client = connect()) {
            byte[] agreed = RawFrames.head("POST", "/x/charges", scenario("hosts", "host", "localhost"));
            client.send(RawFrames.HEADERS, RawFrames.END_HEADERS | RawFrames.END_STREAM, 1, agreed);
            assertEquals(201, client.status());
        }
    }

    private static String[] scenario(String name, String... more) {
        String[] all = Arrays.copyOf(more, more.length + 2);
        all[more.length] = "x-scenario";
        all[more.length + 1] = name;
        return all;
    }

    private void isRefused(byte[] head, String... what) throws Exception {
        try (RawFrames client = connect()) {
            client.send(RawFrames.HEADERS, RawFrames.END_HEADERS | RawFrames.END_STREAM, 1, head);
            Frame answer = client.next();
            while (answer != null && answer.type() != RawFrames.HEADERS && answer.type() != RawFrames.RESET)
                answer = client.next();
            boolean refused = answer == null || answer.type() == RawFrames.RESET || client.statusOf(answer) == 400;
            assertTrue(refused, () -> "went through with " + List.of(what));
        }
    }
}
