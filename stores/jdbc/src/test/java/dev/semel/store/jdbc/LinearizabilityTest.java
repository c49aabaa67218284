package dev.semel.store.jdbc;

import dev.semel.core.store.KeyStore;
import dev.semel.testkit.CountedRevisions;
import dev.semel.testkit.LinearizabilityCheck;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Lincheck rewrites every class that is loaded, those of drivers and databases too, which takes it a minute. So this runs when
 * asked for: {@code -Dsemel.lincheck=true}. {@link HistoriesTest} looks for the same in seconds.
 */
@EnabledIfSystemProperty(named = "semel.lincheck", matches = "true")
@Isolated("Lincheck changes classes while it looks at them")
@ExtendWith(SharedMariaDb.class)
class LinearizabilityTest {
    private static KeyStore mariaDb;
    private static KeyStore h2;

    @BeforeAll
    static void open() throws SQLException {
        mariaDb = new CountedRevisions(
                MariaDbKeyStore.open(SharedMariaDb.freshDatabase(), ContractDatabase.LONG_TIMEOUTS));
        h2 = new CountedRevisions(JdbcKeyStore.open("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1"));
    }

    @AfterAll
    static void close() {
        mariaDb.close();
        h2.close();
    }

    @Test
    void inserts_swaps_and_looks_are_linearizable_on_mariadb() {
        LinearizabilityCheck.run(OnMariaDb.class, 8);
    }

    @Test
    void inserts_swaps_and_looks_are_linearizable_on_h2() {
        LinearizabilityCheck.run(OnH2.class, 8);
    }

    public static class OnMariaDb extends LinearizabilityCheck {
        public OnMariaDb() {
            super(mariaDb);
        }
    }

    public static class OnH2 extends LinearizabilityCheck {
        public OnH2() {
            super(h2);
        }
    }
}
