package dev.semel.torture.messages;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, killed and hung, and nothing is lost, repeated or out of order. */
@Timeout(300)
class MessagesRunTest {
    private static final Duration LEASE = Duration.ofSeconds(13);

    @Test
    void nothing_gives(@TempDir Path folder) throws Exception {
        Options options = new Options(
                5000,
                Duration.ofSeconds(60),
                8,
                3,
                2,
                ThreadLocalRandom.current().nextLong(),
                Options.Faults.FEW,
                Duration.ofSeconds(6),
                LEASE,
                Duration.ofSeconds(40),
                RelayChild.class.getName(),
                folder);
        try (TestDatabase database = PostgresDatabase.start(folder.resolve("postgresql"));
                TestBroker broker = KafkaTestBroker.start(folder.resolve("kafka"))) {
            Report report = MessagesRun.run(options, database, broker, System.out);
            System.out.println(report);
            assertTrue(report.isClean(), report.toString());
            assertTrue(report.fact("relays killed") > 0, report.toString());
        }
    }
}
