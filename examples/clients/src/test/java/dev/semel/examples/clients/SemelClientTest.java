package dev.semel.examples.clients;

import static dev.semel.examples.clients.ScriptedApi.LOST;
import static dev.semel.examples.clients.ScriptedApi.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.client.Answer;
import dev.semel.client.Intent;
import dev.semel.client.RetryBudget;
import dev.semel.client.SemelClient;
import dev.semel.client.ledger.FileLedger;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Semel's own client, over a bad network, in front of a real gateway. */
@Timeout(60)
@ExtendWith(Setting.Shared.class)
class SemelClientTest {
    @TempDir
    Path folder;

    private static HttpRequest post(Setting setting) {
        return HttpRequest.newBuilder(setting.link.uri("/v1/charges"))
                .POST(BodyPublishers.ofString("amount=1999"))
                .build();
    }

    @Test
    void lost_answers_and_a_busy_service_end_in_one_charge(Setting setting) {
        try (FileLedger ledger = FileLedger.open(folder.resolve("ledger"));
                SemelClient client = SemelClient.on(ledger)
                        .backoff(Duration.ofMillis(5), Duration.ofMillis(50))
                        .build()) {
            setting.link.loseAnswers(2);
            Answer.Definitive answer =
                    assertInstanceOf(Answer.Definitive.class, client.send(Intent.of("lost"), post(setting)));
            assertEquals(200, answer.response().status());
            assertTrue(answer.replayed());
            assertEquals(1, setting.api.chargesOf(answer.key()));

            setting.api.then(refused(503, "Retry-After", "0"));
            answer = assertInstanceOf(Answer.Definitive.class, client.send(Intent.of("busy"), post(setting)));
            assertEquals(200, answer.response().status());
        }
    }

    @Test
    void what_the_gateway_does_not_know_stays_pending_and_is_never_charged_again(Setting setting) throws Exception {
        Path path = folder.resolve("ledger");
        setting.api.then(LOST);
        String key;
        try (FileLedger ledger = FileLedger.open(path);
                SemelClient client = SemelClient.on(ledger)
                        .backoff(Duration.ofMillis(5), Duration.ofMillis(50))
                        .retryBudget(RetryBudget.of(3, 0, 0))
                        .build()) {
            Answer.StillUnknown answer =
                    assertInstanceOf(Answer.StillUnknown.class, client.send(Intent.of("doubt"), post(setting)));
            assertEquals(Answer.Ended.BUDGET, answer.ended());
            assertTrue(answer.mayHaveRun());
            assertEquals(409, answer.response().status());
            assertTrue(answer.response().header("Location").isPresent());
            key = answer.key();
        }
        try (FileLedger ledger = FileLedger.open(path);
                SemelClient client = SemelClient.on(ledger)
                        .retryBudget(RetryBudget.of(1, 0, 0))
                        .build()) {
            assertEquals(1, client.resume().stillUnknown());
        }
        assertEquals(1, setting.api.chargesOf(key));
    }
}
