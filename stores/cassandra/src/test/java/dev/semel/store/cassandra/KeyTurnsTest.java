package dev.semel.store.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KeyTurnsTest {
    private static final KeyId KEY = Keys.id("k");
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Seen SEEN =
            new Seen(new KeyRecord(KEY, Keys.FINGERPRINT, 1, 1, 1, NOW, new KeyState.Held("h", NOW)), NOW);

    private final KeyTurns turns = new KeyTurns(Duration.ofSeconds(30));
    private final List<String> told = new CopyOnWriteArrayList<>();

    /** Whoever came later may know of something newer, from elsewhere: the answer is too old for them. */
    @Test
    void an_answer_serves_those_who_came_before_it_was_asked_for_and_nobody_else() throws Exception {
        CountDownLatch ask = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        Thread first = start(turn -> {
            await(ask);
            turn.asking();
            turn.learned(SEEN);
            asked.countDown();
            await(end);
        });
        Thread before = waiting(turn -> told.add("before: " + turn.isKnown() + " " + (turn.known() == SEEN)));
        ask.countDown();
        await(asked);
        Thread after = waiting(turn -> told.add("after: " + turn.isKnown()));
        end.countDown();
        for (Thread thread : List.of(first, before, after)) thread.join();
        assertEquals(List.of("before: true true", "after: false"), told);
    }

    @Test
    void an_answer_that_is_lost_serves_nobody() throws Exception {
        CountDownLatch ask = new CountDownLatch(1);
        Thread first = start(turn -> {
            await(ask);
            turn.asking();
            turn.learned(SEEN);
            turn.asking();
        });
        Thread second = waiting(turn -> told.add(turn.isKnown() + " " + turn.known()));
        ask.countDown();
        first.join();
        second.join();
        assertEquals(List.of("false null"), told);
        assertNull(turns.<Seen>take(KEY, KeyTurns.Turn::known), "nothing is kept when nobody waits");
    }

    @Test
    void whoever_waits_for_too_long_has_sent_nothing_and_other_keys_do_not_wait() throws Exception {
        KeyTurns impatient = new KeyTurns(Duration.ofMillis(20));
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Thread first = Thread.ofPlatform()
                .start(() -> impatient.take(KEY, turn -> {
                    begun.countDown();
                    await(end);
                    return turn;
                }));
        await(begun);
        StoreException late = assertThrows(StoreException.class, () -> impatient.take(KEY, turn -> turn));
        assertEquals(Applied.NO, late.applied());
        assertTrue(impatient.<Boolean>take(Keys.id("other"), turn -> true));
        end.countDown();
        first.join();
        assertTrue(impatient.<Boolean>take(KEY, turn -> true));
    }

    private interface Work {
        void run(KeyTurns.Turn turn);
    }

    /** Returns when it has its turn. */
    private Thread start(Work work) {
        CountDownLatch begun = new CountDownLatch(1);
        Thread thread = Thread.ofPlatform()
                .start(() -> turns.take(KEY, turn -> {
                    begun.countDown();
                    work.run(turn);
                    return true;
                }));
        await(begun);
        return thread;
    }

    /** Returns when it waits for its turn. */
    private Thread waiting(Work work) {
        Thread thread = Thread.ofPlatform()
                .start(() -> turns.take(KEY, turn -> {
                    work.run(turn);
                    return true;
                }));
        while (thread.getState() != Thread.State.TIMED_WAITING) LockSupport.parkNanos(1_000_000);
        return thread;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
