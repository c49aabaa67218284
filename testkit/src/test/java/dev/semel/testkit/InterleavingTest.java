package dev.semel.testkit;

import dev.semel.testkit.interleave.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class InterleavingTest {
    private static final int SCHEDULES = 20_000;
    /** At a time: each schedule keeps one processor busy, and no more. */
    private static final int PARTS = 2;

    /** To see a failed schedule again: {@code -Dsemel.seed=N}, which then is the only one that runs. */
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void no_order_of_events_breaks_a_law() throws Exception {
        Long only = Long.getLong("semel.seed");
        long first = only == null ? ThreadLocalRandom.current().nextLong() : only;
        long count = only == null ? SCHEDULES : 1;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> parts = new ArrayList<>();
            for (int part = 0; part < PARTS; part++) {
                long begin = first + count * part / PARTS;
                long end = first + count * (part + 1) / PARTS;
                parts.add(threads.submit(() -> run(begin, end)));
            }
            for (Future<?> part : parts) part.get();
        }
    }

    private static void run(long begin, long end) {
        for (long seed = begin; seed < end; seed++) {
            try {
                Schedule.run(seed);
            } catch (Throwable e) {
                throw new AssertionError("Schedule with seed " + seed + " broke a law (-Dsemel.seed=" + seed + ")", e);
            }
        }
    }
}
