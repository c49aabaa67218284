package dev.semel.core.doubt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.claim.SemelEvent;
import dev.semel.core.key.KeyId;
import dev.semel.core.time.HandTime;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeyScheduleTest {
    private static final KeyId A = KeyId.of("", "charge", "a");
    private static final KeyId B = KeyId.of("", "charge", "b");
    private static final KeyId C = KeyId.of("", "charge", "c");
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final HandTime time = new HandTime();
    private final BlockingQueue<KeyId> looked = new LinkedBlockingQueue<>();
    private final BlockingQueue<SemelEvent> events = new LinkedBlockingQueue<>();
    private final KeySchedule schedule = new KeySchedule("test", looked::add, events::add, time);

    @AfterEach
    void close() {
        schedule.close();
    }

    private KeyId next() throws InterruptedException {
        KeyId id = looked.poll(30, TimeUnit.SECONDS);
        assertNotNull(id, "nobody looked");
        return id;
    }

    private void nothingMore() throws InterruptedException {
        schedule.addIfAbsent(C);
        assertEquals(C, next(), "what comes last is looked at next: nothing else was due");
    }

    @Test
    void the_earliest_is_looked_at_first_and_none_before_its_time() throws Exception {
        schedule.add(A, SECOND.multipliedBy(3));
        schedule.add(B, SECOND);
        nothingMore();
        time.advance(SECOND);
        assertEquals(B, next());
        nothingMore();
        time.advance(SECOND.multipliedBy(2));
        assertEquals(A, next());
        nothingMore();
    }

    @Test
    void of_two_times_for_one_key_the_earlier_counts_whichever_came_first() throws Exception {
        schedule.add(A, SECOND.multipliedBy(10));
        schedule.add(A, SECOND);
        schedule.add(B, SECOND);
        schedule.add(B, SECOND.multipliedBy(10));
        time.advance(SECOND);
        assertTrue(A.equals(next()) ^ A.equals(next()), "each of them once");
        time.advance(SECOND.multipliedBy(10));
        nothingMore();
    }

    @Test
    void what_is_there_for_whatever_time_is_not_added_again() throws Exception {
        schedule.add(A, SECOND);
        schedule.addIfAbsent(A);
        nothingMore();
        time.advance(SECOND);
        assertEquals(A, next());
        schedule.addIfAbsent(A);
        assertEquals(A, next(), "it is there no more");
    }

    @Test
    void a_time_that_has_passed_is_now() throws Exception {
        schedule.add(A, SECOND.negated());
        assertEquals(A, next());
    }

    @Test
    void a_look_that_fails_is_told_and_the_others_go_on() throws Exception {
        BlockingQueue<KeyId> seen = new LinkedBlockingQueue<>();
        try (KeySchedule failing = new KeySchedule(
                "failing",
                id -> {
                    if (id.equals(A)) throw new IllegalStateException("down");
                    seen.add(id);
                },
                events::add,
                time)) {
            for (int i = 0; i < 100; i++) {
                failing.addIfAbsent(A);
                assertInstanceOf(SemelEvent.BackgroundTaskFailed.class, events.poll(30, TimeUnit.SECONDS));
            }
            failing.addIfAbsent(B);
            assertEquals(B, seen.poll(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void no_more_than_sixteen_are_looked_at_at_once() throws Exception {
        BlockingQueue<KeyId> begun = new LinkedBlockingQueue<>();
        CountDownLatch goOn = new CountDownLatch(1);
        try (KeySchedule slow = new KeySchedule(
                "slow",
                id -> {
                    begun.add(id);
                    try {
                        assertTrue(goOn.await(30, TimeUnit.SECONDS));
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                events::add,
                time)) {
            for (int i = 0; i < 40; i++) slow.addIfAbsent(KeyId.of("", "charge", "k" + i));
            for (int i = 0; i < 16; i++) assertNotNull(begun.poll(30, TimeUnit.SECONDS));
            assertNull(begun.poll());
            goOn.countDown();
            for (int i = 16; i < 40; i++) assertNotNull(begun.poll(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void once_it_is_closed_nothing_is_looked_at_any_more_and_its_thread_ends() throws Exception {
        schedule.add(A, SECOND);
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (time.sleeping() == 0 && System.nanoTime() - end < 0) Thread.onSpinWait();
        schedule.close();
        schedule.addIfAbsent(B);
        while (time.sleeping() > 0 && System.nanoTime() - end < 0) Thread.onSpinWait();
        assertEquals(0, time.sleeping());
        time.advance(SECOND);
        assertNull(looked.poll());
        schedule.close();
    }
}
