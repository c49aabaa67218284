package dev.semel.core.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.Listing;
import dev.semel.core.time.HandTime;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeyCountsTest {
    private static final int FLOOD = 100_000;

    private final KeyIndex index = new KeyIndex() {
        @Override
        public long count(String tenant, long upTo) {
            return tenant.startsWith("honest") ? 500 : 0;
        }

        @Override
        public Listing.Page list(Listing listing) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Swept sweep(int limit) {
            throw new UnsupportedOperationException();
        }
    };

    @Test
    void a_flood_of_made_up_tenants_takes_a_bounded_place_and_costs_no_honest_tenant_its_count() {
        KeyCounts kept = new KeyCounts(index, 1000, new HandTime());
        List<String> honest =
                IntStream.range(0, 100).mapToObj(i -> "honest-" + i).toList();
        honest.forEach(tenant -> assertTrue(kept.take(tenant)));
        for (int i = 0; i < FLOOD; i++) assertTrue(kept.take("made-up-" + i));
        assertEquals(KeyCounts.MOST_TENANTS, kept.size());
        assertEquals(honest, honest.stream().filter(kept::knows).toList(), "these are still known");
    }
}
