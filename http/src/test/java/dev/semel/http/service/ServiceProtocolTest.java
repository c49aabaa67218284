package dev.semel.http.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.http.Headers;
import dev.semel.http.HttpRequest;
import dev.semel.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServiceProtocolTest {
    private static final String ORDER = "{\"operation\": \"charge\", \"key\": \"k\", \"payload\": 1}";

    private final Semel semel =
            Semel.on(new InMemoryKeyStore()).sweepEvery(Duration.ZERO).start();
    private final ServiceApi api = new ServiceApi(semel, 1024, 64);

    @AfterEach
    void stop() {
        semel.close();
    }

    @Test
    void tenants_do_not_share_keys() {
        assertEquals(201, send("a", "POST", ServiceApi.PATH, ORDER).status());
        assertEquals(201, send("b", "POST", ServiceApi.PATH, ORDER).status());
        assertEquals(409, send("a", "POST", ServiceApi.PATH, ORDER).status());
    }

    @Test
    void the_id_of_another_tenant_leads_nowhere() {
        HttpResponse granted = send("a", "POST", ServiceApi.PATH, ORDER);
        String path = granted.headers().first("Location");
        String done = "{\"token\": " + token(granted) + ", \"outcome\": 1}";
        assertEquals(412, send("b", "PUT", path + "/outcome", done).status());
        assertEquals(412, send("", "PUT", path + "/outcome", done).status());
        assertEquals(200, send("a", "PUT", path + "/outcome", done).status());
    }

    @Test
    void an_id_is_understood_by_any_process_on_the_same_store() {
        HttpResponse granted = send("a", "POST", ServiceApi.PATH, ORDER);
        String path = granted.headers().first("Location");
        try (Semel other = Semel.on(semel.store()).sweepEvery(Duration.ZERO).start()) {
            HttpRequest renew = request("POST", path + "/renew", "{\"token\": " + token(granted) + "}");
            assertEquals(200, new ServiceApi(other).answer("a", renew).status());
        }
    }

    /** A program before names were kept apart had these keys where those of requests are. */
    @Test
    void a_claim_that_was_granted_before_names_were_kept_apart_goes_on() {
        String order = ORDER.replace("charge", "POST /v1/charges");
        ClaimId claim = new ClaimId(Guarantee.AT_MOST_ONCE, "POST /v1/charges", "k");
        KeyId before = KeyId.of("", "POST /v1/charges", "k");
        ClaimRequest asked =
                new ClaimRequest(before, ClaimFingerprint.ofPayload("1"), claim.policy()).forRemoteHolder();
        long token = assertInstanceOf(Claim.Granted.class, semel.claim(asked))
                .lease()
                .token();
        assertEquals(409, send("", "POST", ServiceApi.PATH, order).status());

        String done = "{\"token\": " + token + ", \"outcome\": 7}";
        assertEquals(
                200,
                send("", "PUT", ServiceApi.PATH + "/" + claim.text() + "/outcome", done)
                        .status());
        HttpResponse replay = send("", "POST", ServiceApi.PATH, order);
        assertEquals("200 {\"outcome\":7}", replay.status() + " " + new String(replay.body(), UTF_8));
    }

    @Test
    void limits_are_the_owners_to_set() {
        HttpResponse granted = send("", "POST", ServiceApi.PATH, ORDER);
        String path = granted.headers().first("Location");
        String large = "{\"token\": " + token(granted) + ", \"outcome\": \"" + "x".repeat(63) + "\"}";
        assertEquals(413, send("", "PUT", path + "/outcome", large).status());
        assertEquals(
                200,
                send("", "PUT", path + "/outcome", large.replace("xx\"", "x\"")).status());
        assertEquals(
                413, send("", "POST", ServiceApi.PATH, ORDER + " ".repeat(1024)).status());
    }

    @Test
    void a_number_of_any_length_is_a_payload() {
        ServiceApi roomy = new ServiceApi(semel);
        String order = ORDER.replace("1}", "1" + "0".repeat(900_000) + "}");
        assertEquals(
                201, roomy.answer("", request("POST", ServiceApi.PATH, order)).status());
        assertEquals(
                409, roomy.answer("", request("POST", ServiceApi.PATH, order)).status());
        assertEquals(
                422, roomy.answer("", request("POST", ServiceApi.PATH, ORDER)).status());
    }

    private HttpResponse send(String tenant, String method, String path, String json) {
        return api.answer(tenant, request(method, path, json));
    }

    private static HttpRequest request(String method, String path, String json) {
        Headers headers = Headers.NONE.with("Content-Type", "application/json");
        return new HttpRequest(method, path, null, headers, json.getBytes(UTF_8));
    }

    private static String token(HttpResponse granted) {
        Matcher matcher = Pattern.compile("\"token\":(\\d+)").matcher(new String(granted.body(), UTF_8));
        if (!matcher.find()) throw new AssertionError(new String(granted.body(), UTF_8));
        return matcher.group(1);
    }
}
