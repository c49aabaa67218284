package dev.semel.gateway.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.store.KeyIndex.Swept;
import dev.semel.gateway.LogLines;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SweepProgressTest {
    /** So many records that no other test of this process has them. */
    private static final long RECORDS = 123_457;

    private final AtomicLong nanos = new AtomicLong();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final DoubtMeters doubts = new DoubtMeters(registry);
    private final SweepProgress sweep = new SweepProgress(registry, doubts, nanos::get);

    private void step(boolean finished, long doubts) {
        sweep.stepped(new Swept(RECORDS, 2, 3, finished, List.of(), List.of(), doubts));
        sweep.checkLag();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    @Test
    void a_sweep_that_falls_behind_says_so_once_and_once_that_it_has_caught_up() {
        try (LogLines lines = LogLines.of("semel.sweep")) {
            nanos.addAndGet(SweepProgress.OVERDUE_AFTER.toNanos());
            step(false, 0);
            assertEquals(List.of(), lines.with("" + RECORDS));
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            sweep.checkLag();
            sweep.checkLag();
            assertEquals(1, lines.with("" + RECORDS).size());
            assertTrue(lines.with("" + RECORDS).getFirst().startsWith("WARN The sweep of the store is behind"));
            assertEquals(601, gauge(MeterNames.SWEEP_AGE));
            step(true, 0);
            assertEquals(0, gauge(MeterNames.SWEEP_AGE));
            assertTrue(lines.with("" + 2 * RECORDS).getLast().startsWith("INFO The sweep of the store has caught up"));
        }
    }

    @Test
    void the_last_full_pass_says_how_much_was_overdue_and_how_much_is_in_doubt() {
        step(false, 4);
        assertEquals(4, gauge(MeterNames.IN_DOUBT), "what the first pass has found so far");
        assertEquals(RECORDS, gauge(MeterNames.SWEEP_PASS_RECORDS));
        step(true, 5);
        assertEquals(9, gauge(MeterNames.IN_DOUBT));
        assertEquals(10, gauge(MeterNames.SWEEP_OVERDUE));
        assertEquals(0, gauge(MeterNames.SWEEP_PASS_RECORDS));
        step(false, 1);
        assertEquals(9, gauge(MeterNames.IN_DOUBT), "a later pass counts when it is whole");
        assertEquals(10, gauge(MeterNames.SWEEP_OVERDUE));
    }
}
