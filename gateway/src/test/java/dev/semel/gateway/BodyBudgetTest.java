package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.gateway.BodyBudget.Purpose;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class BodyBudgetTest {
    private static final int MIB = 1 << 20;
    private final BodyBudget budget = new BodyBudget(4 * MIB);

    @Test
    void large_requests_leave_room_for_small_ones_and_those_for_answers() {
        BodyShare share = new BodyShare(budget);
        assertTrue(share.grow(2 * MIB, Purpose.LARGE_REQUEST));
        assertFalse(share.grow(1, Purpose.LARGE_REQUEST));
        assertTrue(share.grow(MIB, Purpose.SMALL_REQUEST));
        assertFalse(share.grow(1, Purpose.REPLAY));
        assertTrue(share.grow(MIB, Purpose.ANSWER));
        assertFalse(share.grow(1, Purpose.ANSWER));
        assertEquals(4 * MIB, budget.inUse());
        assertEquals(3, budget.refusals());
    }

    @Test
    void who_only_announces_a_body_holds_next_to_nothing() {
        for (int i = 0; i < 100; i++) assertTrue(new BodyShare(budget).admits(MIB));
        assertEquals(100L * BodyBudget.OVERHEAD, budget.inUse());
        assertFalse(new BodyShare(budget).admits(2 * MIB), "and a body that does not fit is not begun");
    }

    @Test
    void a_share_that_was_released_holds_nothing_whoever_still_asks() {
        BodyShare share = new BodyShare(budget);
        assertTrue(share.admits(10));
        share.release();
        assertFalse(share.grow(10, Purpose.ANSWER));
        assertTrue(share.keepOnly(MIB));
        share.release();
        assertEquals(0, budget.inUse());
    }

    @Test
    void an_answer_takes_the_place_of_the_request_it_is_for() {
        BodyShare share = new BodyShare(budget);
        assertTrue(share.grow(2 * MIB, Purpose.LARGE_REQUEST));
        assertTrue(share.keepOnly(1000));
        assertEquals(1000 + BodyBudget.OVERHEAD, budget.inUse());
        assertFalse(share.keepOnly(3 * MIB));
        assertTrue(share.keepOnly(MIB));
        assertEquals(MIB + BodyBudget.OVERHEAD, budget.inUse());
    }

    @Test
    void a_small_answer_is_never_refused() {
        assertTrue(new BodyShare(budget).grow(4 * MIB, Purpose.ANSWER));
        assertTrue(new BodyShare(budget).keepOnly(BodyBudget.SMALL));
        assertFalse(new BodyShare(budget).keepOnly(BodyBudget.SMALL + 1));
    }

    @Test
    void a_body_in_pieces_is_whole_and_counts_what_it_holds() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            byte[] whole = new byte[random.nextInt(100_000)];
            random.nextBytes(whole);
            boolean announced = random.nextBoolean();
            int[] counted = {0};
            BodyBytes.Room room = (more, all) -> {
                counted[0] += more;
                return counted[0] == all;
            };
            int length = announced ? whole.length : 0;
            BodyBytes body = random.nextBoolean() ? BodyBytes.atOnce(length, room) : BodyBytes.asItComes(length, room);
            for (int at = 0; at < whole.length; ) {
                int next = Math.min(whole.length, at + 1 + random.nextInt(20_000));
                assertTrue(body.append(Buffer.buffer().appendBytes(whole, at, next - at)), "seed " + seed);
                at = next;
            }
            int held = counted[0];
            int most = announced ? whole.length : 2 * whole.length;
            assertTrue(held >= whole.length && held <= most, () -> held + " of " + whole.length + ", seed " + seed);
            assertArrayEquals(whole, body.take(), "seed " + seed);
        }
    }

    @Test
    void nothing_is_lost_or_made_when_many_share_it() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                BodyShare share = new BodyShare(budget);
                for (int user = 0; user < 2; user++) all.add(threads.submit(() -> use(share)));
            }
            for (Future<?> one : all) one.get();
        }
        assertEquals(0, budget.inUse());
    }

    private static void use(BodyShare share) {
        for (int i = 1; i <= 100; i++) {
            share.grow(i, Purpose.ANSWER);
            if (i % 10 == 0) share.keepOnly(i);
        }
        share.release();
    }
}
