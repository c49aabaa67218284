package dev.semel.client;

import static dev.semel.client.ScriptedServer.CHARGES;
import static dev.semel.client.ScriptedServer.LOSES_THE_ANSWER;
import static dev.semel.client.ScriptedServer.answers;
import static dev.semel.client.ScriptedServer.waitsFor;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.client.ledger.FileLedger;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ResumeTest {
    @TempDir
    Path folder;

    private final JumpTime time = new JumpTime();

    private void leavePending(int count, ScriptedServer server) {
        try (FileLedger ledger = FileLedger.open(folder.resolve("ledger"));
                SemelClient client = SemelClient.on(ledger)
                        .time(time)
                        .retryBudget(RetryBudget.of(1, 0, 0))
                        .backoff(Duration.ofHours(1), Duration.ofHours(1))
                        .random(() -> Long.MAX_VALUE >> 8)
                        .build()) {
            for (int i = 0; i < count; i++) {
                server.then(LOSES_THE_ANSWER);
                HttpRequest request = HttpRequest.newBuilder(server.uri("/charges/" + i))
                        .POST(BodyPublishers.ofString("n" + i))
                        .build();
                assertInstanceOf(Answer.StillUnknown.class, client.send(Intent.of("i" + i), request));
            }
        }
    }

    @Test
    void everything_that_was_pending_is_finished_with_its_key_a_few_at_a_time_and_each_is_reported() throws Exception {
        try (ScriptedServer server = new ScriptedServer()) {
            leavePending(12, server);
            Semaphore letGo = new Semaphore(0);
            for (int i = 0; i < 3; i++) server.then(waitsFor(letGo, CHARGES));
            List<Progress> told = new CopyOnWriteArrayList<>();
            try (FileLedger ledger = FileLedger.open(folder.resolve("ledger"));
                    SemelClient client =
                            SemelClient.on(ledger).time(time).resumedAtOnce(3).build()) {
                Thread opener = Thread.startVirtualThread(() -> {
                    try {
                        for (int i = 0; i < 12 + 3; i++) server.awaitRequest();
                        letGo.release(3);
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
                assertEquals(new Resumption(12, 0, 0), client.resume(told::add));
                opener.join();
                assertEquals(List.of(), client.pending());
                assertEquals(new Resumption(0, 0, 0), client.resume());
            }
            assertEquals(12, server.effects());
            assertEquals(12, server.keys().size());
            assertEquals(24, server.seen().size());
            assertEquals(3, server.mostAtOnce());
            assertEquals(
                    IntStream.rangeClosed(1, 12).boxed().toList(),
                    told.stream().map(Progress::done).sorted().toList());
            assertTrue(
                    told.stream().allMatch(each -> each.total() == 12 && each.answer() instanceof Answer.Definitive));
            assertEquals(12, told.stream().map(Progress::intent).distinct().count());
        }
    }

    @Test
    void what_cannot_be_finished_stays_pending_and_does_not_hold_up_the_others() throws Exception {
        try (ScriptedServer server = new ScriptedServer()) {
            leavePending(3, server);
            server.then(answers(503, "", "Retry-After", "3600"));
            try (FileLedger ledger = FileLedger.open(folder.resolve("ledger"));
                    SemelClient client = SemelClient.on(ledger)
                            .time(time)
                            .longestRetryAfter(Duration.ofHours(2))
                            .build()) {
                assertEquals(new Resumption(2, 0, 1), client.resume());
                assertEquals(1, client.pending().size());
                assertEquals(new Resumption(1, 0, 0), client.resume());
            }
            assertEquals(3, server.keys().size());
            assertEquals(3, server.effects());
        }
    }
}
