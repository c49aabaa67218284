package dev.semel.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.testkit.PassingKeyStore;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeptKeysTest {
    private static final int FLOOD = 100_000;

    private final PassingKeyStore store = new PassingKeyStore(new InMemoryKeyStore()) {
        @Override
        public long count(String tenant, long upTo) {
            return tenant.startsWith("honest") ? 500 : 0;
        }
    };

    @Test
    void a_flood_of_made_up_tenants_takes_a_bounded_place_and_costs_no_honest_tenant_its_count() {
        KeptKeys kept = new KeptKeys(store, 1000);
        List<String> honest =
                IntStream.range(0, 100).mapToObj(i -> "honest-" + i).toList();
        honest.forEach(tenant -> assertTrue(kept.take(tenant)));
        for (int i = 0; i < FLOOD; i++) assertTrue(kept.take("made-up-" + i));
        assertEquals(KeptKeys.MOST_TENANTS, kept.size());
        assertEquals(honest, honest.stream().filter(kept::knows).toList(), "these are still known");
    }
}
