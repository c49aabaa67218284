package dev.semel.torture.messages;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.testkit.kafka.KafkaServer;
import dev.semel.testkit.postgres.PostgresServer;
import dev.semel.torture.messages.check.MessageLaws;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A checker that cannot fail proves nothing: relays with a bug in them are caught, by the law that the bug breaks. */
@Timeout(180)
class PlantedBugTest {
    @TempDir
    static Path folder;

    private static PostgresServer postgres;
    private static KafkaServer kafka;

    @BeforeAll
    static void start() {
        kafka = KafkaServer.launch(folder.resolve("kafka"));
        postgres = PostgresServer.startFromClassPath(folder.resolve("postgresql"), "max_connections=200");
        kafka.awaitConnections();
    }

    @AfterAll
    static void stop() {
        postgres.close();
        kafka.close();
    }

    @Test
    void a_floor_of_ids_loses_what_commits_late() throws Exception {
        // So many that most are committed while the relays run.
        caught(BuggyRelays.AfterLast.class, 30_000, Options.Faults.NONE, MessageLaws.LOST);
    }

    @Test
    void an_acknowledgement_without_the_epoch_deletes_late() throws Exception {
        caught(BuggyRelays.WithoutEpoch.class, 4_000, Options.Faults.LATE_RELAY, MessageLaws.LATE);
    }

    @Test
    void a_tail_that_is_skipped_comes_before_its_head() throws Exception {
        caught(BuggyRelays.TailSkipped.class, 4_000, Options.Faults.POISON, MessageLaws.ORDER);
    }

    private static void caught(Class<?> relay, long messages, Options.Faults faults, String law) throws Exception {
        Options options = new Options(
                messages,
                Duration.ofSeconds(40),
                8,
                2,
                0,
                ThreadLocalRandom.current().nextLong(),
                faults,
                Duration.ofDays(1),
                Duration.ofSeconds(13),
                Duration.ofSeconds(3),
                relay.getName(),
                folder.resolve(relay.getSimpleName()));
        String name = relay.getSimpleName().toLowerCase(Locale.ROOT);
        Report report = MessagesRun.run(
                options, PostgresDatabase.on(postgres, name), KafkaTestBroker.on(kafka, name), System.out);
        assertTrue(report.breaks(law), report.toString());
    }
}
