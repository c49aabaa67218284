package dev.semel.examples.payments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PaymentServiceTest {
    private static final String GOOD = "{\"amount\":1999,\"currency\":\"eur\",\"customer\":\"c_1\"}";

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
    void it_charges_every_time_it_is_called() throws Exception {
        HttpResponse<String> first = post("k-1", GOOD);
        HttpResponse<String> second = post("k-1", GOOD);

        assertEquals(List.of(201, 201), List.of(first.statusCode(), second.statusCode()));
        assertEquals(2, ledger.withKey("k-1").size());
        assertEquals(1, ledger.repeats());
        Charge charge = ChargeJson.readCharge(first.body().getBytes());
        assertEquals(ledger.withKey("k-1").getFirst(), charge);
        assertEquals("k-1", charge.idempotencyKey());
    }

    @Test
    void a_charge_needs_no_key() throws Exception {
        assertEquals(201, post(null, GOOD).statusCode());
        assertEquals(201, post(null, GOOD).statusCode());
        assertNull(ledger.latest(1).getFirst().idempotencyKey());
        assertEquals(0, ledger.repeats());
    }

    @Test
    void the_probe_finds_the_charges_of_a_key_and_only_these() throws Exception {
        post("a b&c", GOOD);
        post("other", GOOD);

        HttpResponse<String> found = get("/v1/charges?idempotency_key=a+b%26c");
        assertEquals(200, found.statusCode());
        assertTrue(found.body().startsWith("{\"total\":1,"), found.body());
        assertTrue(found.body().contains(ledger.withKey("a b&c").getFirst().id()), found.body());
        assertEquals(404, get("/v1/charges?idempotency_key=unknown").statusCode());
        assertEquals(404, get("/v1/charges?idempotency_key=").statusCode());
    }

    @Test
    void a_quoted_key_is_the_same_key() throws Exception {
        post("\"q\\\"1\"", GOOD);
        assertEquals(1, ledger.withKey("q\"1").size());
    }

    @Test
    void the_list_has_the_newest_charge_first() throws Exception {
        post("k-1", GOOD);
        post("k-2", GOOD);

        String list = get("/v1/charges").body();
        assertTrue(list.startsWith("{\"total\":2,"), list);
        assertTrue(list.indexOf("k-2") < list.indexOf("k-1"), list);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "{\"amount\":1}",
                "{\"amount\":0,\"currency\":\"eur\",\"customer\":\"c\"}",
                "{\"amount\":-5,\"currency\":\"eur\",\"customer\":\"c\"}",
                "{\"amount\":1.5,\"currency\":\"eur\",\"customer\":\"c\"}",
                "{\"amount\":\"1\",\"currency\":\"eur\",\"customer\":\"c\"}",
                "{\"amount\":99999999999999999999,\"currency\":\"eur\",\"customer\":\"c\"}",
                "{\"amount\":1,\"currency\":\"euro\",\"customer\":\"c\"}",
                "{\"amount\":1,\"currency\":\"eur\",\"customer\":\" \"}",
                "{\"amount\":1,\"currency\":\"eur\",\"customer\":null}",
                "{\"amount\":1,\"currency\":\"eur\",\"customer\":{}}",
                "{\"amount\":1,\"amount\":2,\"currency\":\"eur\",\"customer\":\"c\"}",
                "{\"amount\":1,\"currency\":\"eur\",\"customer\":\"c\",\"tip\":1}",
                "{\"amount\":1,\"currency\":\"eur\",\"customer\":\"c\"} x"
            })
    void a_bad_body_is_refused_and_charges_nothing(String body) throws Exception {
        HttpResponse<String> answer = post("k", body);
        assertEquals(400, answer.statusCode(), answer.body());
        assertTrue(answer.body().contains("\"code\":\"invalid_request\""), answer.body());
        assertEquals(0, ledger.size());
    }

    @Test
    void a_declined_card_is_a_business_answer_and_charges_nothing() throws Exception {
        HttpResponse<String> answer = post("k", GOOD.replace("1999", "4002"));
        assertEquals(402, answer.statusCode());
        assertTrue(answer.body().contains("card_declined"), answer.body());
        assertEquals(0, ledger.size());
    }

    @Test
    void a_huge_body_is_refused() throws Exception {
        assertEquals(413, post("k", " ".repeat(100_000) + GOOD).statusCode());
        assertEquals(0, ledger.size());
    }

    @Test
    void other_addresses_and_methods_are_refused() throws Exception {
        assertEquals(200, get("/healthz").statusCode());
        assertEquals(404, get("/v1/refunds").statusCode());
        HttpResponse<String> put = send(
                HttpRequest.newBuilder(service.url().resolve("/v1/charges")).PUT(BodyPublishers.ofString(GOOD)));
        assertEquals(405, put.statusCode());
        assertEquals("GET, POST", put.headers().firstValue("Allow").orElseThrow());
    }

    private HttpResponse<String> post(String key, String body) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(service.url().resolve("/v1/charges")).POST(BodyPublishers.ofString(body));
        if (key != null) request.header("Idempotency-Key", key);
        return send(request);
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(HttpRequest.newBuilder(service.url().resolve(path)));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), BodyHandlers.ofString());
    }
}
