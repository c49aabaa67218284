package dev.semel.core.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private final HandTime time = new HandTime();

    private void awaitSleeper() {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (time.sleeping() != 1 && System.nanoTime() - end < 0) Thread.onSpinWait();
        assertEquals(1, time.sleeping());
    }

    @Test
    void a_thread_that_was_interrupted_before_a_pause_stays_interrupted_after_it() throws Exception {
        Backoff backoff = new Backoff(time, Duration.ofNanos(2));
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            Thread.currentThread().interrupt();
            backoff.pause();
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        while (!interrupted.isDone()) time.advance(Duration.ofNanos(2));
        assertTrue(interrupted.get(30, TimeUnit.SECONDS));
    }

    @Test
    void pauses_double_until_they_are_a_hundred_times_as_long_as_the_first() throws Exception {
        Backoff backoff = new Backoff(time, Duration.ofSeconds(1));
        long[] longest = {1, 2, 4, 8, 16, 32, 64, 100, 100, 100};
        for (long seconds : longest) {
            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture<Void> pause = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                backoff.pause();
                over.set(true);
                pause.complete(null);
            });
            awaitSleeper();
            time.advance(Duration.ofSeconds(seconds).dividedBy(2).minusNanos(1));
            assertFalse(over.get(), "too early, of " + seconds);
            time.advance(Duration.ofSeconds(seconds).dividedBy(2));
            pause.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void an_interrupted_thread_pauses_all_the_same() throws Exception {
        HandTime hand = new HandTime();
        Backoff backoff = new Backoff(hand, Duration.ofHours(1));
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            Thread.currentThread().interrupt();
            backoff.pause();
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (hand.sleeping() == 0 && System.nanoTime() - end < 0) Thread.onSpinWait();
        hand.advance(Duration.ofMinutes(29));
        assertFalse(interrupted.isDone(), "no pause is shorter than half of what it may be");
        hand.advance(Duration.ofHours(1));
        assertTrue(interrupted.get(30, TimeUnit.SECONDS));
    }
}
