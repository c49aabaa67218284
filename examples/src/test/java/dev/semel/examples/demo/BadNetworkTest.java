package dev.semel.examples.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.examples.payments.Ledger;
import dev.semel.examples.payments.PaymentService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class BadNetworkTest {
    private static final Duration AN_HOUR = Duration.ofHours(1);
    private static final long SEED = 42;

    private final Ledger ledger = Ledger.inMemory();
    private final HttpClient http = HttpClient.newHttpClient();
    private PaymentService service;

    @BeforeEach
    void start() throws IOException {
        service = PaymentService.start(0, ledger);
    }

    @AfterEach
    void end() {
        http.shutdownNow();
        service.close();
    }

    @Test
    void a_lost_answer_is_a_broken_connection_for_the_client_but_the_server_did_its_work() throws IOException {
        try (BadNetwork network = network(new FaultRates(1, 0, 0, Duration.ZERO))) {
            IOException seen = assertThrows(IOException.class, () -> pay(network.url(), "k-1", AN_HOUR));
            assertFalse(seen instanceof HttpTimeoutException, seen.toString());
            assertEquals(1, ledger.withKey("k-1").size());
            assertEquals(1, network.traffic().answersLost());
            assertEquals(1, network.traffic().arrived());
        }
    }

    @Test
    void a_late_answer_is_a_time_out_for_the_client_but_the_server_did_its_work() throws IOException {
        try (BadNetwork network = network(new FaultRates(0, 1, 0, AN_HOUR))) {
            assertThrows(HttpTimeoutException.class, () -> pay(network.url(), "k-1", Duration.ofMillis(1500)));
            assertEquals(1, ledger.withKey("k-1").size());
            assertEquals(0, network.traffic().answersLost());
        }
    }

    @Test
    void a_request_that_is_cut_never_reaches_the_service() throws IOException {
        try (BadNetwork network = network(new FaultRates(0, 0, 1, Duration.ZERO))) {
            assertThrows(IOException.class, () -> pay(network.url(), "k-1", AN_HOUR));
            assertEquals(1, network.traffic().requestsCut());
            assertEquals(0, network.traffic().arrived());
        }
        assertEquals(0, ledger.size());
    }

    @Test
    void of_a_request_that_is_cut_a_part_arrives_and_never_all() throws Exception {
        byte[] request = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}".getBytes(US_ASCII);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                BadNetwork network = BadNetwork.inFrontOf(
                        URI.create("http://127.0.0.1:" + server.getLocalPort()),
                        new FaultRates(0, 0, 1, Duration.ZERO),
                        SEED);
                Socket client = new Socket(
                        InetAddress.getLoopbackAddress(), network.url().getPort())) {
            client.getOutputStream().write(request);
            try (Socket accepted = server.accept()) {
                int arrived = accepted.getInputStream().readAllBytes().length;
                assertTrue(arrived > 0 && arrived < request.length, arrived + " of " + request.length);
            }
        }
    }

    @Test
    void in_calm_weather_everything_passes_and_repeats_are_counted() throws Exception {
        try (BadNetwork network = network(new FaultRates(1, 0, 0, Duration.ZERO))) {
            network.change(FaultRates.NONE);
            for (int i = 0; i < 20; i++) assertEquals(201, pay(network.url(), "k-" + i % 15, AN_HOUR));
            assertEquals(20, network.traffic().arrived());
            assertEquals(5, network.traffic().repeats());
        }
        assertEquals(20, ledger.size());
    }

    @Test
    void the_same_seed_does_the_same_to_each_request_of_a_key_whatever_came_before() throws Exception {
        FaultRates mixed = new FaultRates(0.3, 0, 0.3, Duration.ZERO);
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 30; i++) keys.add("k-" + i % 12);
        Map<String, String> first = fates(mixed, keys);
        assertEquals(first, fates(mixed, keys.reversed()));
        assertTrue(first.toString().contains("paid") && first.toString().contains("broken"), first.toString());
        assertTrue(first.containsValue("paid broken ") || first.containsValue("broken paid "), first.toString());
    }

    @Test
    void when_nobody_listens_behind_the_client_sees_a_broken_connection() throws Exception {
        try (Socket taken = new Socket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            URI nobody = URI.create("http://127.0.0.1:" + taken.getLocalPort());
            try (BadNetwork network = BadNetwork.inFrontOf(nobody, FaultRates.NONE, SEED)) {
                assertThrows(IOException.class, () -> pay(network.url(), "k-1", AN_HOUR));
            }
        }
    }

    /** What became of the first, second and further request of each key. */
    private Map<String, String> fates(FaultRates faultRates, List<String> keys) throws Exception {
        Map<String, String> fates = new TreeMap<>();
        try (BadNetwork network = network(faultRates)) {
            for (String key : keys) fates.merge(key, fault(network, key), String::concat);
        }
        return fates;
    }

    private String fault(BadNetwork network, String key) throws InterruptedException {
        try {
            pay(network.url(), key, AN_HOUR);
            return "paid ";
        } catch (IOException e) {
            return "broken ";
        }
    }

    private BadNetwork network(FaultRates faultRates) throws IOException {
        return BadNetwork.inFrontOf(service.url(), faultRates, SEED);
    }

    private int pay(URI shop, String key, Duration timeout) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(shop.resolve("/v1/charges"))
                .timeout(timeout)
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString("{\"amount\":1999,\"currency\":\"eur\",\"customer\":\"c_1\"}"))
                .build();
        return http.send(request, BodyHandlers.discarding()).statusCode();
    }
}
