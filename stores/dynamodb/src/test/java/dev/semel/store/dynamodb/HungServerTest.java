package dev.semel.store.dynamodb;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.testkit.dynamodb.DynamoDbServer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The server is stopped while many write, and goes on later: connections stay, and nobody answers. */
@Isolated("it measures time")
@Timeout(180)
class HungServerTest {
    private static final int CALLERS = 16;

    /** The longest that a caller waits by default, and a loaded machine. */
    private static final Duration BOUND = Duration.ofSeconds(6);

    @TempDir
    Path folder;

    @Test
    void while_it_hangs_every_call_ends_in_bounded_time_and_afterwards_all_is_as_it_was_told() throws Exception {
        String table = Tables.freshName();
        try (DynamoDbServer server = DynamoDbServer.startInMemory(folder);
                DynamoDbKeyStore store = DynamoDbKeyStore.open(Tables.url(server.endpoint(), table) + "&create=true");
                WriteHistory history = WriteHistory.of(store, CALLERS)) {
            history.awaitAcknowledged(200);
            server.pause();
            try {
                history.awaitRefused(10 * CALLERS);
            } finally {
                server.resume();
            }
            history.awaitAcknowledged(200);
            history.stop();
            assertTrue(history.lost() > 0, "no write was under way");
            assertTrue(history.longest().compareTo(BOUND) < 0, "the longest call took " + history.longest());
            try (DynamoDbClient raw = Tables.client(server.endpoint())) {
                history.checkAgainst(raw, table);
            }
        }
    }
}
