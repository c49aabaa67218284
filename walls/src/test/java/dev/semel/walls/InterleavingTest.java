package dev.semel.walls;

import dev.semel.testkit.interleave.Schedule;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The engine on schedules from a seed. Here and not in testkit, because nothing waits for this module in a build. */
class InterleavingTest {
    private static final int SCHEDULES = 20_000;

    /** To see a failed schedule again: {@code -Dsemel.seed=N}, which then is the only one that runs. */
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void no_order_of_events_breaks_a_law() throws Exception {
        Long only = Long.getLong("semel.seed");
        long first = only == null ? ThreadLocalRandom.current().nextLong() : only;
        long count = only == null ? SCHEDULES : 1;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            threads.submit(() -> run(first, count)).get();
        }
    }

    private static Object run(long first, long count) {
        for (long seed = first; seed < first + count; seed++) {
            try {
                Schedule.run(seed);
            } catch (Throwable e) {
                throw new AssertionError("Schedule with seed " + seed + " broke a law (-Dsemel.seed=" + seed + ")", e);
            }
        }
        return count;
    }
}
