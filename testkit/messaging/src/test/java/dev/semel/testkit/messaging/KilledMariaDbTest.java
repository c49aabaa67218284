package dev.semel.testkit.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.tables.MariaDbOutboxTables;
import dev.semel.testkit.mariadb.MariaDbServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server of the outbox is killed, and hangs, in the middle of its work. */
@Timeout(120)
class KilledMariaDbTest {
    @Test
    void nothing_is_lost_and_nothing_is_told_that_did_not_happen(@TempDir Path folder) throws Exception {
        long seed = Long.getLong("semel.seed", ThreadLocalRandom.current().nextLong());
        try (MariaDbServer server = MariaDbServer.start(folder);
                HikariDataSource database = PostgresScene.pool(server.jdbcUrl() + "&socketTimeout=1000")) {
            AtomicInteger strikes = new AtomicInteger();
            LossCheck.Result result = new LossCheck(database, new MariaDbOutboxTables(), seed, Duration.ofSeconds(20))
                    .run(Duration.ofMillis(4500), () -> {
                        if (strikes.getAndIncrement() % 3 == 1) {
                            server.pause();
                            LockSupport.parkNanos(Duration.ofMillis(1500).toNanos());
                            server.resume();
                        } else {
                            server.kill9();
                            server.restart();
                        }
                    });
            assertEquals(List.of(), result.problems(), "-Dsemel.seed=" + seed);
            assertTrue(strikes.get() >= 2, "only " + strikes);
            assertTrue(result.committed() > 0, "nothing was committed");
        }
    }
}
