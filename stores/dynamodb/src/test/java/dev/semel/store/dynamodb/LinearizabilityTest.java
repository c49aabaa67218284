package dev.semel.store.dynamodb;

import dev.semel.testkit.LinearizabilityCheck;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("Lincheck changes classes while it looks at them")
@ExtendWith(SharedServer.class)
class LinearizabilityTest {
    private static DynamoDbKeyStore store;

    @BeforeAll
    static void open() {
        store = Tables.freshStore(LinearizabilityCheck.CLOCK);
    }

    @AfterAll
    static void close() {
        store.close();
    }

    @Test
    void inserts_swaps_and_looks_are_linearizable() {
        LinearizabilityCheck.run(OnDynamoDb.class, 8);
    }

    public static class OnDynamoDb extends LinearizabilityCheck {
        public OnDynamoDb() {
            super(store);
        }
    }
}
