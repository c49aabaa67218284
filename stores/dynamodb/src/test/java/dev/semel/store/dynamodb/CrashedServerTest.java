package dev.semel.store.dynamodb;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.testkit.dynamodb.DynamoDbServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The server dies while many write; later it is back, and the store with it. */
@Timeout(180)
class CrashedServerTest {
    private static final int CALLERS = 16;

    @TempDir
    Path folder;

    @Test
    void what_was_acknowledged_survives_kill_9_and_what_was_refused_never_shows_up() throws Exception {
        String table = Tables.freshName();
        try (DynamoDbServer server = DynamoDbServer.start(folder);
                DynamoDbKeyStore store = DynamoDbKeyStore.open(Tables.url(server.endpoint(), table) + "&create=true");
                WriteHistory history = WriteHistory.of(store, CALLERS)) {
            for (int crash = 0; crash < 2; crash++) {
                history.awaitAcknowledged(200);
                server.kill9();
                history.awaitRefused(CALLERS);
                server.restart();
            }
            history.awaitAcknowledged(200);
            history.stop();
            assertTrue(history.lost() > 0, "no write was under way when the server died");
            try (DynamoDbClient raw = Tables.client(server.endpoint())) {
                history.checkAgainst(raw, table);
            }
        }
    }
}
