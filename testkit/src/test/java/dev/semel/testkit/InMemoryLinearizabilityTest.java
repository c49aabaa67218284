package dev.semel.testkit;

import dev.semel.core.memory.InMemoryKeyStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("Lincheck changes classes while it looks at them")
class InMemoryLinearizabilityTest {
    @Test
    void inserts_swaps_and_looks_are_linearizable() {
        LinearizabilityCheck.run(InMemory.class, 500);
    }

    public static class InMemory extends LinearizabilityCheck {
        public InMemory() {
            super(new InMemoryKeyStore(CLOCK));
        }
    }
}
