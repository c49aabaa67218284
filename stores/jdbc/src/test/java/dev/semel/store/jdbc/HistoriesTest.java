package dev.semel.store.jdbc;

import dev.semel.core.store.KeyStore;
import dev.semel.testkit.CountedRevisions;
import dev.semel.testkit.KeyHistory;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two stores on one database, as two processes have them, and callers of both who want the same key. */
@ExtendWith({SharedMariaDb.class, SharedServers.class})
class HistoriesTest {
    private static final int ROUNDS = 100;

    private interface Opening {
        KeyStore open();
    }

    private static void check(Opening opening) throws Exception {
        try (KeyStore one = opening.open();
                KeyStore other = opening.open()) {
            KeyHistory.check(List.of(new CountedRevisions(one), new CountedRevisions(other)), ROUNDS);
        }
    }

    @Test
    void calls_on_mariadb_have_an_order_that_explains_their_answers() throws Exception {
        String url = SharedMariaDb.freshDatabase();
        check(() -> MariaDbKeyStore.open(url, ContractDatabase.LONG_TIMEOUTS));
    }

    @Test
    void calls_on_postgresql_have_an_order_that_explains_their_answers() throws Exception {
        String url = Sql.freshDatabase(SharedServers.of(PostgresVersion.V18));
        check(() -> PostgresKeyStore.open(url, ContractDatabase.LONG_TIMEOUTS));
    }

    @Test
    void calls_on_h2_have_an_order_that_explains_their_answers() throws Exception {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        check(() -> JdbcKeyStore.open(url));
    }
}
