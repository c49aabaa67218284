package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.cli.HttpMessage.Field;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an operator is told about clients that choose their keys badly. */
class WeakKeysTest {
    private static final Field ANN = new Field("X-Api-Key", "secret-of-ann");

    @Test
    void weak_keys_are_told_of_once_for_each_kind_and_route_and_counted() throws Exception {
        String time = Long.toString(Instant.now().getEpochSecond());
        try (CountingUpstream upstream = CountingUpstream.start();
                OpenStore store = OpenStore.Kind.ROCKSDB.open();
                GatewayProcess gateway =
                        GatewayProcess.start(store.url(), upstream.url(), store.write("semel.yml", """
                            tenant: { header: X-Api-Key }
                            routes:
                              - match: POST /v1/orders
                            """))) {
            assertEquals(weak(0, 0, 0), status(gateway));
            try (Client client = new Client(gateway.port())) {
                client.order("8e03978e-40d5-43e8-bc93-6894a57f9324", ANN);
                client.order("kX9-tR2v_8mQzL4w", ANN);
                assertEquals(weak(0, 0, 0), status(gateway), "these are as keys should be");
                for (int i = 0; i < 5; i++) client.order("short" + 7 * i, ANN);
                client.order(time, ANN);
                client.order(time, ANN);
                for (int i = 1; i <= 5; i++) client.order("Order-of-Ann-Smith-" + i, ANN);
                for (String path : List.of("/v1/customers/ann-smith", "/v1/customers/bob-jones"))
                    client.send("POST", path, "{}", ANN, new Field("Idempotency-Key", "pin1"));
            }
            // Five short ones, the two on other paths, and the time, which is made of digits only.
            assertEquals(weak(8, 1, 4), status(gateway));
            gateway.process().terminate();
            logIsDiscreet(gateway.process().ended().err(), time);
        }
    }

    private static String weak(int shortOnes, int times, int sequential) {
        return "{\"weakKeys\":{\"short\":%d,\"time\":%d,\"sequential\":%d}}".formatted(shortOnes, times, sequential);
    }

    private static String status(GatewayProcess gateway) throws Exception {
        Answer answer = Client.get(gateway.adminPort(), "/admin/v1/status");
        assertEquals(200, answer.status(), answer.text());
        assertEquals("application/json", answer.header("Content-Type"));
        return answer.text();
    }

    private static void logIsDiscreet(String log, String time) {
        List<String> told = log.lines()
                .filter(line -> line.contains("Weak keys on "))
                .map(line -> line.replaceAll(".*Weak keys on (.*?)\\. Two operations.*", "$1"))
                .toList();
        assertEquals(
                List.of(
                        "POST /v1/orders: too short, such as aaaaa9",
                        "POST /v1/orders: only a time, such as 9999999999",
                        "POST /v1/orders: one number after the other, such as Aaaaa-aa-Aaa-Aaaaa-9",
                        "POST /**: too short, such as aaa9"),
                told,
                log);
        for (String secret : List.of("secret-of-ann", "short7", time, "Smith", "smith", "pin1", "customers"))
            assertFalse(log.contains(secret), () -> "'" + secret + "' is in the log:\n" + log);
        assertTrue(log.contains("WARN"), log);
    }
}
