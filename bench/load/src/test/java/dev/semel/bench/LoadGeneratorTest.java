package dev.semel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.semel.bench.loop.LoopResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class LoadGeneratorTest {
    private static final int CONNECTIONS = 8;
    private static final Duration SHORT = Duration.ofMillis(300);

    @Test
    void it_counts_what_the_server_answered() throws Exception {
        try (UpstreamServer server = UpstreamServer.start(0);
                LoadGenerator load = start(server.port(), ChargeRequests.freshKeys())) {
            long before = server.answered();
            LoopResult result = load.measure(Duration.ofSeconds(1));
            long answered = server.answered() - before;

            assertEquals(0, result.errors(), result.firstError());
            assertTrue(result.operations() > 100, result.toString());
            assertTrue(result.operations() <= answered + CONNECTIONS, result + " of " + answered);
            assertTrue(result.seconds() >= 1 && result.seconds() < 5, result.toString());
            assertTrue(result.p50().isPositive() && result.p50().compareTo(result.p99()) <= 0, result.toString());
            assertTrue(result.p99().compareTo(result.max()) <= 0, result.toString());
        }
    }

    @Test
    void a_server_that_fails_is_nothing_but_errors() throws Exception {
        try (UpstreamServer server = UpstreamServer.start(500, false);
                LoadGenerator load = start(server.port(), ChargeRequests.passThrough())) {
            LoopResult result = load.measure(SHORT);
            assertEquals(0, result.operations());
            assertTrue(result.errors() > 0 && result.firstError().contains("500"), result.toString());
        }
    }

    @Test
    void a_server_that_closes_connections_is_noticed_and_asked_again() throws Exception {
        try (UpstreamServer server = UpstreamServer.start(200, true);
                LoadGenerator load = start(server.port(), ChargeRequests.passThrough())) {
            LoopResult result = load.measure(SHORT);
            assertTrue(result.operations() > CONNECTIONS, result.toString());
            assertTrue(result.errors() > 0 && result.firstError().contains("closed"), result.toString());
        }
    }

    @Test
    void a_server_that_goes_away_is_noticed() throws Exception {
        UpstreamServer server = UpstreamServer.start(0);
        try (LoadGenerator load = start(server.port(), ChargeRequests.passThrough())) {
            assertEquals(0, load.measure(SHORT).errors());
            server.close();
            LoopResult result = load.measure(SHORT);
            assertTrue(result.errors() > 0, result.toString());
        } finally {
            server.close();
        }
    }

    @Test
    void a_server_that_never_answers_is_an_error_on_every_connection() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
                LoadGenerator load = start(silent.getLocalPort(), ChargeRequests.passThrough())) {
            LoopResult result = load.measure(SHORT);
            assertEquals(0, result.operations());
            assertEquals(CONNECTIONS, result.errors());
        }
    }

    @Test
    void an_answer_that_should_be_a_replay_and_is_not_is_an_error() throws Exception {
        try (UpstreamServer server = UpstreamServer.start(0);
                LoadGenerator load = start(server.port(), ChargeRequests.replays(10))) {
            LoopResult result = load.measure(SHORT);
            assertEquals(0, result.operations());
            assertTrue(result.errors() > 0, result.toString());
        }
    }

    @Test
    void an_answer_in_chunks_is_read_to_its_end() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(200, 0);
                for (int i = 0; i < 3; i++) {
                    exchange.getResponseBody().write(new byte[100]);
                    exchange.getResponseBody().flush();
                }
            }
        });
        server.start();
        try (LoadGenerator load = start(server.getAddress().getPort(), ChargeRequests.passThrough())) {
            LoopResult result = load.measure(SHORT);
            assertEquals(0, result.errors(), result.firstError());
            assertTrue(result.operations() > 0, result.toString());
        } finally {
            server.stop(0);
        }
    }

    @Test
    void when_nobody_listens_it_does_not_start() throws Exception {
        try (Socket taken = new Socket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            assertThrows(IOException.class, () -> start(taken.getLocalPort(), ChargeRequests.passThrough()));
        }
    }

    private static LoadGenerator start(int port, RequestSource source) throws Exception {
        return LoadGenerator.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECTIONS, source);
    }
}
