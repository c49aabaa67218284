package dev.semel.client;

import static dev.semel.client.ScriptedServer.LOSES_THE_ANSWER;
import static dev.semel.client.ScriptedServer.waitsFor;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.client.CrashChild.Point;
import dev.semel.client.ledger.FileLedger;
import dev.semel.client.ledger.LedgerException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process is killed at each crash point; the next one resumes, and the server has seen one key and one effect. */
@Timeout(60)
class CrashTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void after_a_crash_the_intent_has_one_key_and_one_effect(Point point) throws Exception {
        Path path = folder.resolve("ledger");
        Semaphore letGo = new Semaphore(0);
        try (ScriptedServer server = new ScriptedServer()) {
            if (point == Point.K2_SENT_AND_NOT_YET_ANSWERED) server.then(waitsFor(letGo, LOSES_THE_ANSWER));
            Process child = child(point, path, server);
            try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
                if (point == Point.K2_SENT_AND_NOT_YET_ANSWERED) server.awaitRequest();
                else assertEquals(point.name(), lines.readLine());
                assertThrows(LedgerException.class, () -> FileLedger.open(path), "in use by the child");
            } finally {
                child.destroyForcibly().waitFor();
            }
            assertEquals(128 + 9, child.exitValue());
            letGo.release();

            boolean pending = point != Point.K0_BEFORE_THE_LEDGER_IS_WRITTEN && point != Point.K4_SETTLED;
            try (FileLedger ledger = FileLedger.open(path);
                    SemelClient client = SemelClient.on(ledger).build()) {
                assertEquals(new Resumption(pending ? 1 : 0, 0, 0), client.resume());
                assertEquals(point != Point.K0_BEFORE_THE_LEDGER_IS_WRITTEN ? 1 : 0, server.effects());

                Answer answer = client.send(Intent.of("pay"), CrashChild.request(server.uri("/v1/charges")));
                Answer.Definitive definitive = assertInstanceOf(Answer.Definitive.class, answer);
                assertEquals("charge-1", definitive.response().text());
                assertEquals(List.of(definitive.key()), server.keys());
                assertEquals(1, server.effects());
                assertEquals(tries(point), server.seen().size());
            }
        }
    }

    private static int tries(Point point) {
        return switch (point) {
            case K0_BEFORE_THE_LEDGER_IS_WRITTEN, K1_WRITTEN_AND_NOT_YET_SENT, K4_SETTLED -> 1;
            case K2_SENT_AND_NOT_YET_ANSWERED, K3_ANSWERED_AND_NOT_YET_SETTLED -> 2;
        };
    }

    private static Process child(Point point, Path ledger, ScriptedServer server) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashChild.class.getName(),
                        point.name(),
                        ledger.toString(),
                        server.uri("/v1/charges").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
