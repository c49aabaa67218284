package dev.semel.store.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CountMinSketchTest {
    private static final int FLOOD = 400_000;

    @Test
    void counts_are_right_before_during_and_after_a_flood_of_made_up_names() {
        CountMinSketch counts = new CountMinSketch();
        for (int i = 0; i < 1000; i++) counts.add("honest-" + i, i);
        for (int i = 0; i < 1000; i++) assertEquals(i, counts.of("honest-" + i));
        for (int i = 0; i < FLOOD; i++) counts.add("made-up-" + i, 1);
        for (int i = 0; i < 1000; i++) {
            long more = counts.of("honest-" + i) - i;
            assertTrue(more >= 0 && more <= 4, "never too low, and hardly too high: " + more);
        }
        for (int i = 0; i < FLOOD; i++) counts.add("made-up-" + i, -1);
        for (int i = 0; i < 1000; i++) assertEquals(i, counts.of("honest-" + i));
    }
}
