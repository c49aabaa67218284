package dev.semel.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.claim.SemelEvent;
import dev.semel.core.key.KeyId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PendingWritesTest {
    private static final KeyId ID = KeyId.of("", "charge", "k");
    private static final PendingWrites.Word WORD = new PendingWrites.Word(ID, 7, "its outcome");
    private static final Duration LONG = Duration.ofSeconds(30);

    private final BlockingQueue<SemelEvent> events = new LinkedBlockingQueue<>();
    private final PendingWrites pending = new PendingWrites(events::add);

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SemelEvent.LeftBehind left(String why) {
        return new SemelEvent.LeftBehind(ID, 7, "its outcome", why);
    }

    @Test
    void closing_waits_for_what_finishes_within_the_grace() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        assertTrue(pending.add(WORD, () -> await(goOn)));
        CompletableFuture<Set<KeyId>> closed = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> closed.complete(pending.close(LONG)));
        while (!pending.isClosing()) Thread.onSpinWait();
        assertTrue(pending.isTrying(), "what can be finished is");
        assertFalse(closed.isDone());
        goOn.countDown();
        assertEquals(Set.of(), closed.get(30, TimeUnit.SECONDS));
        assertTrue(events.isEmpty());
        assertFalse(pending.isTrying());
    }

    @Test
    void what_is_left_at_the_end_is_told_once_also_when_it_gives_up_later() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        pending.add(WORD, () -> {
            await(goOn);
            over.countDown();
            return false;
        });
        assertEquals(Set.of(ID), pending.close(Duration.ZERO));
        assertEquals(left("the store did not take it before the end"), events.poll());
        goOn.countDown();
        assertTrue(await(over));
        assertEquals(Set.of(ID), pending.close(LONG), "this waits for the work to end");
        assertTrue(events.isEmpty());
    }

    @Test
    void who_gives_up_before_the_end_is_told_at_once_and_not_again_at_the_end() throws Exception {
        pending.add(WORD, () -> false);
        assertNotNull(events.poll(30, TimeUnit.SECONDS));
        assertEquals(Set.of(ID), pending.close(LONG));
        assertTrue(events.isEmpty());
    }

    @Test
    void work_that_fails_is_told_and_left_behind() throws Exception {
        pending.add(WORD, () -> {
            throw new IllegalStateException("a bug");
        });
        assertInstanceOf(SemelEvent.BackgroundTaskFailed.class, events.poll(30, TimeUnit.SECONDS));
        assertEquals(left("the store did not take it before the end"), events.poll(30, TimeUnit.SECONDS));
        assertEquals(Set.of(ID), pending.close(LONG));
        assertTrue(events.isEmpty());
    }

    @Test
    void after_the_end_nothing_is_taken_any_more_and_that_is_told() {
        pending.close(Duration.ZERO);
        assertFalse(pending.add(WORD, () -> {
            throw new AssertionError("never run");
        }));
        assertEquals(left("the store did not take it in time"), events.poll());
    }

    @Test
    void what_ends_at_the_very_moment_of_closing_is_left_behind_once_or_not_at_all() throws Exception {
        for (int i = 0; i < 500; i++) {
            boolean written = i % 2 == 0;
            BlockingQueue<SemelEvent> told = new LinkedBlockingQueue<>();
            PendingWrites racing = new PendingWrites(told::add);
            CountDownLatch go = new CountDownLatch(1);
            racing.add(WORD, () -> {
                await(go);
                return written;
            });
            CompletableFuture<Set<KeyId>> closed = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                await(go);
                closed.complete(racing.close(Duration.ZERO));
            });
            go.countDown();
            Set<KeyId> atFirst = closed.get(30, TimeUnit.SECONDS);
            Set<KeyId> atLast = racing.close(LONG);
            assertEquals(atLast.size(), told.size(), "each that is left behind is told once");
            if (written) assertEquals(atFirst, atLast);
            else assertEquals(Set.of(ID), atLast);
            if (!told.isEmpty())
                assertEquals(List.of(left("the store did not take it before the end")), List.copyOf(told));
        }
    }

    @Test
    void work_that_ends_in_an_error_is_left_behind_and_told() {
        KeyId id = KeyId.of("", "charge", "k");
        PendingWrites pending = new PendingWrites(event -> {});
        pending.add(new PendingWrites.Word(id, 7, "its outcome"), () -> {
            throw new StackOverflowError();
        });
        assertEquals(Set.of(id), pending.close(Duration.ofSeconds(5)));
    }
}
