package dev.semel.walls;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.testkit.interleave.Schedule;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The engine on schedules from a seed. Here and not in testkit, because nothing waits for this module in a build. */
class InterleavingTest {
    private static final int SCHEDULES = 20_000;
    private static final int SCHEDULES_OF_MOVES = 8_000;

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

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void no_order_of_events_breaks_a_law_while_keys_move_from_one_store_to_another() throws Exception {
        Long only = Long.getLong("semel.seed");
        long first = only == null ? ThreadLocalRandom.current().nextLong() : only;
        long count = only == null ? SCHEDULES_OF_MOVES : 1;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            threads.submit(() -> run(first, count, seed -> Schedule.runWhileMoving(seed, before -> before)))
                    .get();
        }
    }

    /** Take-over without a seal, and a seal that lets the late holder in: what the test above must be able to see. */
    @ParameterizedTest
    @EnumSource(PlantedMove.class)
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void a_move_that_forgets_its_seal_is_found_out(PlantedMove bug) throws Exception {
        long first = ThreadLocalRandom.current().nextLong();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Object> all = threads.submit(
                    () -> run(first, SCHEDULES_OF_MOVES, seed -> Schedule.runWhileMoving(seed, bug::in)));
            ExecutionException found = assertThrows(ExecutionException.class, all::get, "seeds from " + first);
            assertInstanceOf(AssertionError.class, found.getCause());
        }
    }

    private interface Life {
        void run(long seed) throws Throwable;
    }

    private static Object run(long first, long count) {
        return run(first, count, Schedule::run);
    }

    private static Object run(long first, long count, Life life) {
        for (long seed = first; seed < first + count; seed++) {
            try {
                life.run(seed);
            } catch (Throwable e) {
                throw new AssertionError("Schedule with seed " + seed + " broke a law (-Dsemel.seed=" + seed + ")", e);
            }
        }
        return count;
    }
}
