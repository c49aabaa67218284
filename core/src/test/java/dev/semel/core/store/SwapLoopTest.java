package dev.semel.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.SwapLoop.Patience;
import dev.semel.core.store.SwapLoop.Result;
import dev.semel.core.time.HandTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SwapLoopTest {
    private static final KeyId ID = KeyId.of("", "charge", "k");
    private static final Fingerprint ASKED = Fingerprint.of(Fingerprint.Algorithm.VALUE, new byte[] {1});
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Patience ENDLESS = failure -> true;

    private final HandTime time = new HandTime();
    private final InMemoryKeyStore behind = new InMemoryKeyStore(time.clock());
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicInteger races = new AtomicInteger();
    private final List<Runnable> beforeWrite = new ArrayList<>();
    private final List<Runnable> afterWrite = new ArrayList<>();
    private final ForwardingKeyStore store = new ForwardingKeyStore(behind) {
        @Override
        public Replaced replace(KeyRecord seen, Change change) {
            writes.incrementAndGet();
            if (races.getAndDecrement() > 0) renewBehind();
            if (!beforeWrite.isEmpty()) beforeWrite.removeFirst().run();
            Replaced replaced = super.replace(seen, change);
            if (!afterWrite.isEmpty()) afterWrite.removeFirst().run();
            return replaced;
        }

        @Override
        public @Nullable Seen find(KeyId id) {
            looks.incrementAndGet();
            return super.find(id);
        }
    };
    private final SwapLoop swaps = new SwapLoop(store);
    private final KeyRecord first = assertInstanceOf(
                    KeyStore.Inserted.Fresh.class, behind.insert(new NewKey(ID, ASKED, "holder", LEASE)))
            .record();

    private void renewBehind() {
        KeyRecord now = recorded();
        behind.replace(now, Change.of(now, new Next.Held("holder", LEASE, now.since())));
    }

    private KeyRecord recorded() {
        return Objects.requireNonNull(behind.find(ID)).record();
    }

    /** Frees what is held; knows its own work. */
    private static Ruling<String> free(@Nullable KeyRecord record) {
        if (record == null) return new Ruling.Answer<>("nothing there");
        if (record.state() instanceof KeyState.Free) return new Ruling.Answer<>("free already");
        return new Ruling.Become<>(Change.of(record, new Next.Free(LEASE)));
    }

    private static void loseAnswer() {
        throw StoreException.unknown("lost", null);
    }

    @Test
    void without_a_race_it_writes_once_and_never_looks() {
        Result.Written<?> written =
                assertInstanceOf(Result.Written.class, swaps.swap(first, SwapLoopTest::free, Patience.NONE));
        assertEquals(first, written.before());
        assertEquals(recorded(), written.after());
        assertEquals(1, writes.get());
        assertEquals(0, looks.get());
    }

    @Test
    void after_a_lost_race_it_decides_by_what_the_store_said_without_another_look() {
        races.set(3);
        Result.Written<?> written =
                assertInstanceOf(Result.Written.class, swaps.swap(first, SwapLoopTest::free, Patience.NONE));
        assertEquals(first.revision() + 3, written.before().revision());
        assertEquals(4, writes.get());
        assertEquals(0, looks.get());
    }

    @Test
    void a_key_that_is_gone_or_forgotten_counts_as_nothing() {
        KeyRecord free = assertInstanceOf(Result.Written.class, swaps.swap(first, SwapLoopTest::free, Patience.NONE))
                .after();
        time.advance(LEASE);
        Result<String> forgotten = swaps.lookAndSwap(ID, SwapLoopTest::free, Patience.NONE);
        assertEquals(
                "nothing there",
                assertInstanceOf(Result.Answered.class, forgotten).answer());
        Objects.requireNonNull(behind.index()).sweep(10);
        Result<String> gone = swaps.swap(
                free,
                now -> now == null
                        ? new Ruling.Answer<>("gone")
                        : new Ruling.Become<>(Change.of(now, new Next.Free(LEASE))),
                Patience.NONE);
        assertEquals("gone", assertInstanceOf(Result.Answered.class, gone).answer());
    }

    @Test
    void an_answer_that_is_lost_before_the_write_leads_to_a_look_and_one_write() {
        beforeWrite.add(SwapLoopTest::loseAnswer);
        assertInstanceOf(Result.Written.class, swaps.swap(first, SwapLoopTest::free, ENDLESS));
        assertEquals(1, looks.get());
        assertEquals(first.revision() + 1, recorded().revision());
    }

    @Test
    void an_answer_that_is_lost_after_the_write_leads_to_a_look_and_no_other_write() {
        afterWrite.add(SwapLoopTest::loseAnswer);
        Result.Answered<?> answered =
                assertInstanceOf(Result.Answered.class, swaps.swap(first, SwapLoopTest::free, ENDLESS));
        assertEquals("free already", answered.answer());
        assertEquals(first, answered.tried());
        assertEquals(1, writes.get());
        assertEquals(1, looks.get());
    }

    @Test
    void who_answers_at_once_has_tried_nothing() {
        Result.Answered<?> answered = assertInstanceOf(
                Result.Answered.class, swaps.swap(first, now -> new Ruling.Answer<>("no"), Patience.NONE));
        assertNull(answered.tried());
        assertEquals(0, writes.get());
    }

    @Test
    void it_goes_on_for_as_long_as_patience_lasts_and_hands_over_the_last_failure() {
        List<StoreException> failures = new ArrayList<>();
        for (int i = 0; i < 10; i++) beforeWrite.add(SwapLoopTest::loseAnswer);
        Result<String> result = swaps.swap(first, SwapLoopTest::free, failure -> {
            failures.add(failure);
            return failures.size() < 4;
        });
        assertSame(
                failures.getLast(),
                assertInstanceOf(Result.Unanswered.class, result).failure());
        assertEquals(4, failures.size());
        assertEquals(4, writes.get());
        assertEquals(first, recorded());
    }

    @Test
    void sixty_four_lost_races_are_run_and_the_next_is_a_failure_that_wrote_nothing() {
        races.set(64);
        assertInstanceOf(Result.Written.class, swaps.swap(first, SwapLoopTest::free, Patience.NONE));
        assertEquals(65, writes.get());
        KeyRecord freed = recorded();
        races.set(Integer.MAX_VALUE);
        Result<String> result = swaps.swap(
                freed,
                now -> new Ruling.Become<>(Change.of(Objects.requireNonNull(now), new Next.Free(LEASE))),
                Patience.NONE);
        StoreException failure =
                assertInstanceOf(Result.Unanswered.class, result).failure();
        assertEquals(StoreException.Applied.NO, failure.applied());
        assertEquals(65 + 65, writes.get());
        assertInstanceOf(KeyState.Held.class, recorded().state());
    }

    @Test
    void after_too_many_lost_races_the_patient_look_again_and_win_when_the_others_are_done() {
        races.set(100);
        assertInstanceOf(Result.Written.class, swaps.swap(first, SwapLoopTest::free, ENDLESS));
        assertEquals(first.revision() + 101, recorded().revision());
        assertEquals(101, writes.get());
    }

    @Test
    void a_bug_in_a_rule_is_nobody_elses_and_is_thrown() {
        KeyRecord before = recorded();
        IllegalStateException bug = new IllegalStateException("bug");
        IllegalStateException thrown = assertThrows(
                IllegalStateException.class,
                () -> swaps.swap(
                        first,
                        now -> {
                            throw bug;
                        },
                        ENDLESS));
        assertSame(bug, thrown);
        assertEquals(before, recorded());
    }

    @Test
    void a_lost_race_is_not_a_lost_answer() {
        Duration thirtySeconds = Duration.ofSeconds(30);
        InMemoryKeyStore behind = new InMemoryKeyStore();
        NewKey key = new NewKey(KeyId.of("", "charge", "race"), Fingerprint.none(), "h", thirtySeconds);
        KeyRecord first = assertInstanceOf(KeyStore.Inserted.Fresh.class, behind.insert(key))
                .record();
        behind.replace(first, Change.of(first, new Next.Free(thirtySeconds)));
        SwapLoop.Result<String> result = new SwapLoop(behind)
                .swap(
                        first,
                        now -> now.state() instanceof KeyState.Free
                                ? new Ruling.Answer<>("free")
                                : new Ruling.Become<>(Change.of(now, new Next.Free(thirtySeconds))),
                        SwapLoop.Patience.NONE);
        assertNull(assertInstanceOf(SwapLoop.Result.Answered.class, result).tried());
    }
}
