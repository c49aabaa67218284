package dev.semel.core.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HandTimeTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final HandTime time = new HandTime();

    private static void awaitSleepers(HandTime time, int sleepers) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (time.sleeping() != sleepers && System.nanoTime() - end < 0) Thread.onSpinWait();
        assertEquals(sleepers, time.sleeping());
    }

    @Test
    void a_parked_thread_goes_on_when_its_moment_comes_and_not_before() throws Exception {
        long until = time.nanos() + HOUR.toNanos();
        CompletableFuture<Long> wokeAt = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            while (time.nanos() - until < 0) time.parkUntil(until);
            wokeAt.complete(time.nanos());
        });
        awaitSleepers(time, 1);
        time.advance(HOUR.minusNanos(1));
        assertEquals(1, time.sleeping());
        assertFalse(wokeAt.isDone());
        time.advance(Duration.ofNanos(1));
        assertEquals(until, wokeAt.get(30, TimeUnit.SECONDS));
        awaitSleepers(time, 0);
    }

    @Test
    void whoever_comes_after_the_moment_does_not_wait() {
        time.advance(HOUR);
        time.parkUntil(HOUR.toNanos());
        assertEquals(0, time.sleeping());
    }

    @Test
    void no_moment_is_missed_by_threads_that_park_while_time_moves() throws Exception {
        for (int i = 0; i < 500; i++) {
            long until = time.nanos() + 1;
            CompletableFuture<Void> woke = CompletableFuture.runAsync(() -> {
                while (time.nanos() - until < 0) time.parkUntil(until);
            });
            time.advance(Duration.ofNanos(1));
            woke.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void a_result_is_awaited_until_it_is_there_or_its_time_is_up() throws Exception {
        long until = time.nanos() + HOUR.toNanos();
        CompletableFuture<String> result = new CompletableFuture<>();
        CompletableFuture<Boolean> there = new CompletableFuture<>();
        CompletableFuture<Boolean> neverThere = new CompletableFuture<>();
        start(there, result, until);
        start(neverThere, new CompletableFuture<>(), until);
        awaitSleepers(time, 2);
        result.complete("done");
        assertTrue(there.get(30, TimeUnit.SECONDS));
        assertFalse(neverThere.isDone());
        time.advance(HOUR);
        assertFalse(neverThere.get(30, TimeUnit.SECONDS));
    }

    private void start(CompletableFuture<Boolean> told, CompletableFuture<?> result, long until) {
        Thread.ofVirtual().start(() -> {
            try {
                told.complete(time.await(result, until));
            } catch (InterruptedException e) {
                told.completeExceptionally(e);
            }
        });
    }

    @Test
    void all_clocks_move_together_and_only_forward() {
        Instant before = time.instant();
        EngineTime.Reading then = time.read();
        time.advance(HOUR);
        assertEquals(before.plus(HOUR), time.clock().instant());
        assertEquals(
                before.plus(HOUR).plusSeconds(3),
                time.clock(Duration.ofSeconds(3)).instant());
        assertEquals(HOUR.toNanos(), time.nanosSince(then));
        assertThrows(IllegalArgumentException.class, () -> time.advance(Duration.ofNanos(-1)));
        assertEquals(before.plus(HOUR), time.instant());
    }
}
