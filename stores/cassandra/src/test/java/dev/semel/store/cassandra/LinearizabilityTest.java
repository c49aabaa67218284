package dev.semel.store.cassandra;

import dev.semel.testkit.LinearizabilityCheck;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Lincheck rewrites every class that is loaded, the driver's thousands too, which takes it minutes. So this runs when asked for:
 * {@code -Dsemel.lincheck=true}. {@link HistoriesTest} looks for the same in seconds, and loses answers on top.
 */
@EnabledIfSystemProperty(named = "semel.lincheck", matches = "true")
@Isolated("Lincheck changes classes while it looks at them")
@ExtendWith(SharedServer.class)
class LinearizabilityTest {
    private static CassandraKeyStore store;

    @BeforeAll
    static void open() {
        store = CassandraKeyStore.open(SharedServer.freshUrl(), SharedServer.PATIENT, LinearizabilityCheck.CLOCK);
    }

    @AfterAll
    static void close() {
        store.close();
    }

    @Test
    void inserts_swaps_and_looks_are_linearizable() {
        LinearizabilityCheck.run(OnCassandra.class, 5);
    }

    public static class OnCassandra extends LinearizabilityCheck {
        public OnCassandra() {
            super(store);
        }
    }
}
