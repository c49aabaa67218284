package dev.semel.core.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class IdsTest {
    private static final UUID DNS = UUID.fromString("6ba7b810-9dad-11d1-80b4-00c04fd430c8");

    @Test
    void a_stable_id_is_the_one_that_the_rfc_gives_for_its_name() {
        assertEquals(UUID.fromString("2ed6657d-e927-568b-95e1-2665a8aea6a2"), StableId.of(DNS, "www.example.com"));
        assertEquals(UUID.fromString("0a63f66b-e02f-5d2d-9fd4-aad819cf5352"), StableId.of(DNS, "a", "b"));
    }

    @Test
    void parts_do_not_run_into_each_other() {
        Set<UUID> ids = new HashSet<>();
        ids.add(StableId.of(DNS, "ab", "c"));
        ids.add(StableId.of(DNS, "a", "bc"));
        ids.add(StableId.of(DNS, "abc"));
        ids.add(StableId.of(DNS, "abc", ""));
        ids.add(StableId.of(DNS, "", "abc"));
        assertEquals(5, ids.size());
        assertThrows(IllegalArgumentException.class, () -> StableId.of(DNS, "a\0b"));
        assertThrows(IllegalArgumentException.class, () -> StableId.of(DNS, "a", "\ud800"));
    }

    @Test
    void ids_by_time_grow_also_when_the_clock_stands_still_or_is_set_back() {
        long[] clock = {1_700_000_000_000L};
        TimeOrderedId ids = new TimeOrderedId(() -> clock[0]);
        UUID last = ids.make();
        assertEquals(7, last.version());
        assertEquals(2, last.variant());
        assertEquals(clock[0], last.getMostSignificantBits() >>> 16);
        for (int i = 0; i < 20_000; i++) {
            if (i == 10_000) clock[0] -= 60_000;
            UUID next = ids.make();
            assertTrue(next.toString().compareTo(last.toString()) > 0, last + " then " + next);
            assertTrue(next.compareTo(last) > 0);
            assertEquals(7, next.version());
            last = next;
        }
        clock[0] += 120_000;
        assertEquals(clock[0], ids.make().getMostSignificantBits() >>> 16);
    }

    @Test
    void many_threads_never_get_the_same_id_and_each_sees_them_grow() throws Exception {
        Callable<List<UUID>> maker = () -> {
            List<UUID> made = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) made.add(TimeOrderedId.next());
            return made;
        };
        Set<Long> ticks = new HashSet<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<List<UUID>> each : threads.invokeAll(Collections.nCopies(8, maker))) {
                List<UUID> made = each.get();
                assertEquals(made.stream().sorted().toList(), made);
                for (UUID id : made) ticks.add(id.getMostSignificantBits());
            }
        }
        assertEquals(16_000, ticks.size());
    }
}
