package dev.semel.examples.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Stripe's own SDK for Node, pointed at a gateway. It takes every JSON answer without {@code error} for a success. */
@ExtendWith(Setting.Shared.class)
class StripeNodeTest {
    private static final Path ROOT = Path.of(System.getProperty("semel.root", "../.."));
    private static final Path SDK = Path.of("target", "stripe-node").toAbsolutePath();
    private static final Path CHARGE =
            Path.of("src", "test", "node", "charge.mjs").toAbsolutePath();

    private final String key = UUID.randomUUID().toString();

    @BeforeAll
    static void install() throws Exception {
        Command.run(ROOT, "bash", "scripts/stripe-node.sh", SDK.toString()).succeeded();
    }

    @Test
    void a_lost_answer_ends_as_the_one_charge(Setting setting) throws Exception {
        setting.link.loseAnswers(1);
        JsonNode told = charge(setting, 1999);
        assertTrue(told.path("charged").asText().startsWith("ch_"), told::toString);
        assertEquals(1, setting.api.chargesOf(key));
    }

    @Test
    void a_key_used_for_another_charge_is_an_idempotency_error(Setting setting) throws Exception {
        charge(setting, 1999);
        JsonNode told = charge(setting, 2999);
        assertEquals("StripeIdempotencyError", told.path("thrown").asText(), told::toString);
        assertEquals(422, told.path("status").asInt());
        assertEquals("key-reused", told.path("code").asText());
        assertEquals(1, setting.api.chargesOf(key));
    }

    @Test
    void what_is_in_doubt_is_an_api_error_and_not_a_second_charge(Setting setting) throws Exception {
        setting.api.then(ScriptedApi.LOST);
        JsonNode told = charge(setting, 1999);
        assertEquals("StripeAPIError", told.path("thrown").asText(), told::toString);
        assertEquals(409, told.path("status").asInt());
        assertEquals("outcome-unknown", told.path("code").asText());
        assertEquals(1, setting.api.chargesOf(key));
    }

    @Test
    void a_service_that_is_busy_for_a_moment_charges_on_the_retry(Setting setting) throws Exception {
        setting.api.then(ScriptedApi.refused(503, "Retry-After", "1"));
        JsonNode told = charge(setting, 1999);
        assertTrue(told.path("charged").asText().startsWith("ch_"), told::toString);
        assertEquals(2, setting.api.chargesOf(key), "asked twice, and refused once");
    }

    private JsonNode charge(Setting setting, int amount) throws Exception {
        String port = Integer.toString(setting.link.port());
        String said = Command.run(SDK, "node", CHARGE.toString(), port, key, Integer.toString(amount))
                .succeeded();
        return new ObjectMapper().readTree(said);
    }
}
