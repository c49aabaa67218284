package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The service API of a running gateway: the life of a claim, also when the gateway is killed in the middle of it. */
class ServiceProcessTest {
    private static final String CLAIMS = "/.semel/v1/claims";

    private static CountingUpstream upstream;
    private static OpenStore store;
    private static GatewayProcess gateway;

    @BeforeAll
    static void start() throws Exception {
        upstream = CountingUpstream.start();
        store = OpenStore.Kind.ROCKSDB.open();
        gateway = GatewayProcess.start(store.url(), upstream.url());
    }

    @AfterAll
    static void stop() throws Exception {
        if (gateway != null) gateway.close();
        if (store != null) store.close();
        if (upstream != null) upstream.close();
    }

    private static Answer send(String method, String path, String json) throws IOException {
        try (Client client = new Client(gateway.port())) {
            return client.send(method, path, json);
        }
    }

    private static Answer claim(String key) throws IOException {
        return claim(key, "");
    }

    private static Answer claim(String key, String more) throws IOException {
        return send("POST", CLAIMS, """
            {"operation":"charge","key":"%s","payload":{"amount":1999}%s}\
            """.formatted(key, more));
    }

    private static Answer granted(Answer answer) {
        assertEquals(201, answer.status(), answer.text());
        return answer;
    }

    private static Answer say(String method, Answer granted, String word, String more) throws IOException {
        String json = "{\"token\":" + granted.get("token") + more + "}";
        return send(method, CLAIMS + "/" + granted.get("id") + "/" + word, json);
    }

    private static Answer complete(Answer granted, String outcome) throws IOException {
        return say("PUT", granted, "outcome", ",\"outcome\":" + outcome);
    }

    private static Answer release(Answer granted) throws IOException {
        return send("DELETE", CLAIMS + "/" + granted.get("id") + "?token=" + granted.get("token"), "");
    }

    private static void isSuperseded(Answer answer) {
        assertEquals("412 superseded", answer.summary(), answer.text());
    }

    @Test
    void one_claim_is_granted_and_all_others_get_its_outcome() throws Exception {
        Answer granted = granted(claim("once"));
        assertEquals("1", granted.get("attempt"));
        assertEquals("409 in-progress", claim("once").summary());
        assertEquals(200, say("POST", granted, "renew", ",\"lease\":\"1m\"").status());
        assertEquals(200, complete(granted, "{\"charge\": \"ch_1\"}").status());
        Answer replay = claim("once");
        assertEquals(200, replay.status());
        assertEquals("{\"outcome\":{\"charge\": \"ch_1\"}}", replay.text());
        assertEquals(200, complete(granted, "{\"charge\": \"ch_1\"}").status(), "said again after a lost answer");
        isSuperseded(complete(granted, "{\"charge\": \"ch_2\"}"));
        isSuperseded(release(granted));
        assertEquals("{\"outcome\":{\"charge\": \"ch_1\"}}", claim("once").text());
        Answer other = send("POST", CLAIMS, """
            {"operation":"charge","key":"once","payload":{"amount":1}}\
            """);
        assertEquals("422 key-reused", other.summary());
        assertEquals(0, upstream.effects());
    }

    @Test
    void what_is_released_is_granted_again_and_the_first_holder_has_no_more_say() throws Exception {
        Answer first = granted(claim("released"));
        assertEquals("free", release(first).get("state"));
        Answer second = granted(claim("released"));
        assertEquals("2", second.get("attempt"));
        assertTrue(Long.parseLong(second.get("token")) > Long.parseLong(first.get("token")));
        isSuperseded(complete(first, "1"));
        isSuperseded(say("POST", first, "renew", ""));
        isSuperseded(say("POST", first, "doubt", ",\"reason\":\"late\""));
        isSuperseded(release(first));
        assertEquals("409 in-progress", claim("released").summary());
        assertEquals(200, complete(second, "2").status());
    }

    @Test
    void a_doubt_stays_until_its_holder_ends_it() throws Exception {
        Answer granted = granted(claim("doubted"));
        assertEquals(
                "in-doubt",
                say("POST", granted, "doubt", ",\"reason\":\"no answer\"").get("state"));
        Answer refused = claim("doubted");
        assertEquals("409 outcome-unknown", refused.summary());
        Answer status = Client.get(gateway.port(), refused.header("Location"));
        assertEquals("in-doubt no answer", status.get("state") + " " + status.get("reason"));
        assertEquals("done", complete(granted, "\"late but true\"").get("state"));
        assertEquals("{\"outcome\":\"late but true\"}", claim("doubted").text());
    }

    @Test
    void a_holder_completes_with_its_token_after_the_gateway_was_killed() throws Exception {
        Answer patient = granted(claim("patient", ",\"lease\":\"10m\""));
        Answer late = granted(claim("late", ",\"lease\":\"100ms\""));
        Answer replaced = granted(claim("replaced", ",\"lease\":\"100ms\",\"guarantee\":\"at-least-once\""));
        gateway.kill9();
        gateway.restart();

        assertEquals("409 in-progress", claim("patient").summary(), "the lease is as long as it was");
        assertEquals(200, complete(patient, "\"patient\"").status());
        assertEquals("{\"outcome\":\"patient\"}", claim("patient").text());

        Await.until("its lease is over", () -> claim("late").summary().equals("409 outcome-unknown"));
        assertEquals(200, complete(late, "\"late\"").status());
        assertEquals("{\"outcome\":\"late\"}", claim("late").text());

        Answer[] again = new Answer[1];
        Await.until("its lease is over", () -> {
            again[0] = claim("replaced", ",\"guarantee\":\"at-least-once\"");
            return again[0].status() == 201;
        });
        assertTrue(Long.parseLong(again[0].get("token")) > Long.parseLong(replaced.get("token")));
        isSuperseded(complete(replaced, "\"the dead one's\""));
        assertEquals(200, complete(again[0], "\"the second's\"").status());
        assertEquals("{\"outcome\":\"the second's\"}", claim("replaced").text());
    }
}
