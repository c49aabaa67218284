package dev.semel.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Purged;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The laws that every {@link KeyStore} keeps. A store's test extends this, says how to get a store and how to let time
 * pass on its clock, and adds what only that store can get wrong. The store may be shared by all tests: every test uses
 * keys of its own.
 */
public abstract class KeyStoreContract {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration RETENTION = Duration.ofHours(24);
    private static final Duration TOMBSTONE = Duration.ofDays(30);

    private final String tenant = "t-" + UUID.randomUUID();

    /** The store under test. */
    protected abstract KeyStore store();

    /** Lets so much time pass on the store's own clock, for every record in it. */
    protected abstract void pass(Duration time);

    protected final KeyId key(String name) {
        return KeyId.of(tenant, "POST /v1/charges", name);
    }

    protected static Fingerprint fingerprint(String of) {
        byte[] digest = new byte[32];
        byte[] bytes = of.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, digest, 0, Math.min(bytes.length, digest.length));
        return Fingerprint.of(1, digest);
    }

    protected final NewKey newKey(String name) {
        return new NewKey(key(name), fingerprint("a"), "holder-" + UUID.randomUUID(), LEASE);
    }

    protected final KeyRecord held(String name) {
        return assertInstanceOf(Inserted.Fresh.class, store().insert(newKey(name)))
                .record();
    }

    protected final KeyRecord become(KeyRecord seen, Next next) {
        return assertInstanceOf(Replaced.Swapped.class, store().replace(seen, Change.of(seen, next)))
                .record();
    }

    protected static Next.Done doneWith(String body) {
        return new Next.Done(Outcome.of(body.getBytes(StandardCharsets.UTF_8)), RETENTION, TOMBSTONE);
    }

    protected final KeyRecord found(KeyId id) {
        return Objects.requireNonNull(store().find(id), "no record of " + id).record();
    }

    /** Whole passes, so that a purge cursor left in the middle by another test does not matter. */
    protected final void purgeAll() {
        for (int pass = 0; pass < 2; pass++) {
            while (!store().purge(100).finished()) {}
        }
    }

    @Nested
    public class Inserting {
        @Test
        void the_first_insert_writes_and_every_later_one_returns_what_is_there() {
            NewKey first = newKey("first");
            KeyRecord written = assertInstanceOf(Inserted.Fresh.class, store().insert(first))
                    .record();
            assertEquals(first.id(), written.id());
            assertEquals(first.fingerprint(), written.fingerprint());
            assertEquals(1, written.attempt());
            KeyState.Held held = assertInstanceOf(KeyState.Held.class, written.state());
            assertEquals(first.holder(), held.holder());
            assertEquals(written.since().plus(LEASE), held.leaseUntil());

            NewKey second = new NewKey(first.id(), fingerprint("b"), "someone else", LEASE);
            Seen seen = assertInstanceOf(Inserted.Existing.class, store().insert(second))
                    .seen();
            assertEquals(written, seen.record());
            assertTrue(!seen.now().isBefore(written.since()));
            assertEquals(written, found(first.id()));
        }

        @Test
        void an_insert_returns_an_expired_record_rather_than_writing_over_it() {
            KeyRecord done = become(held("expired"), doneWith("x"));
            pass(RETENTION.plus(TOMBSTONE).plusSeconds(1));
            Seen seen = assertInstanceOf(Inserted.Existing.class, store().insert(newKey("expired")))
                    .seen();
            assertEquals(done.token(), seen.record().token());
            assertNull(seen.record().asOf(seen.now()));
        }

        @Test
        void of_64_concurrent_inserts_exactly_one_is_fresh() throws Exception {
            for (int round = 0; round < 5; round++) {
                String name = "contended-" + round;
                List<Inserted> answers = together(64, i -> store().insert(newKey(name)));
                List<KeyRecord> fresh = new ArrayList<>();
                for (Inserted answer : answers) if (answer instanceof Inserted.Fresh it) fresh.add(it.record());
                assertEquals(1, fresh.size());
                for (Inserted answer : answers) {
                    if (answer instanceof Inserted.Existing it)
                        assertEquals(fresh.getFirst(), it.seen().record());
                }
            }
        }

        @Test
        void keys_differ_by_tenant_operation_and_name() {
            List<KeyId> ids = List.of(
                    KeyId.of(tenant, "POST /a", "k"),
                    KeyId.of(tenant, "POST /b", "k"),
                    KeyId.of(tenant + "x", "POST /a", "k"),
                    KeyId.of(tenant, "POST /ak", "k"),
                    KeyId.of("", tenant + "POST /a", "k"),
                    KeyId.of(tenant, "POST /a", "K"),
                    KeyId.of(tenant, "POST /a", "k "));
            for (KeyId id : ids)
                assertInstanceOf(
                        Inserted.Fresh.class, store().insert(new NewKey(id, fingerprint("a"), "h-" + id, LEASE)));
            for (KeyId id : ids)
                assertEquals("h-" + id, ((KeyState.Held) found(id).state()).holder());
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "'",
                    "\"",
                    "\\",
                    "; drop table semel_key; --",
                    "ключ",
                    "鍵",
                    "🔑",
                    "a b",
                    "\t",
                    "%",
                    "{}",
                    "\u0001",
                    "null"
                })
        void odd_keys_are_keys_like_any_other(String name) {
            KeyRecord written = held(name);
            assertEquals(written, found(key(name)));
            assertEquals(name, found(key(name)).id().key());
        }

        @Test
        void keys_may_be_as_long_as_ids_allow() {
            String longest = "k".repeat(1024);
            assertEquals(held(longest), found(key(longest)));
        }
    }

    @Nested
    public class Replacing {
        @Test
        void what_was_seen_is_swapped_and_what_moved_on_is_not() {
            KeyRecord held = held("swap");
            KeyRecord done = become(held, doneWith("first"));
            Replaced late = store().replace(held, Change.of(held, doneWith("second")));
            Seen current = assertInstanceOf(Replaced.Moved.class, late).current();
            assertEquals(done, present(current).record());
            assertEquals(done, found(held.id()));
        }

        @Test
        void a_record_that_is_gone_cannot_be_swapped() {
            KeyRecord free = become(held("gone"), new Next.Free(RETENTION));
            pass(RETENTION.plusSeconds(1));
            purgeAll();
            assertNull(store().find(free.id()));
            Replaced late = store().replace(free, Change.of(free, doneWith("late")));
            assertNull(assertInstanceOf(Replaced.Moved.class, late).current());
            assertNull(store().find(free.id()));
        }

        @Test
        void a_holder_from_an_earlier_life_of_the_key_cannot_swap_the_later_one() {
            KeyRecord first = held("two lives");
            become(first, new Next.Free(RETENTION));
            pass(RETENTION.plusSeconds(1));
            purgeAll();
            KeyRecord second = held("two lives");
            assertInstanceOf(Replaced.Moved.class, store().replace(first, Change.of(first, doneWith("zombie"))));
            assertEquals(second, found(first.id()));
            assertTrue(second.token() > first.token(), "tokens grow across forgetting");
            assertTrue(second.revision() > first.revision() + 1, "so do revisions");
        }

        @Test
        void every_state_comes_back_as_it_was_written() {
            KeyRecord held = held("states");
            assertEquals(held, found(held.id()));

            KeyRecord renewed = become(held, new Next.Held("h", Duration.ofMinutes(2), held.since()));
            assertEquals(held.since(), renewed.since());
            assertEquals(renewed, found(held.id()));

            KeyRecord again = become(renewed, new Next.Held("h", LEASE, Guarantee.AT_LEAST_ONCE, held.since()));
            assertEquals(Guarantee.AT_LEAST_ONCE, ((KeyState.Held) again.state()).guarantee());
            assertEquals(again, found(held.id()));

            KeyRecord doubt = become(again, new Next.InDoubt("sent, no answer: 'é'"));
            assertEquals(doubt, found(held.id()));

            KeyRecord probed = become(doubt, new Next.InDoubt("still", 3, Duration.ofSeconds(7), doubt.since()));
            assertEquals(doubt.since(), probed.since());
            assertEquals(probed, found(held.id()));

            KeyRecord free = become(probed, new Next.Free(RETENTION));
            assertEquals(free.since().plus(RETENTION), ((KeyState.Free) free.state()).forgetAt());
            assertEquals(free, found(held.id()));

            Change next = new Change(
                    free.fingerprint(), free.token() + 1, free.attempt() + 1, new Next.Held("i", LEASE, null));
            KeyRecord second = assertInstanceOf(Replaced.Swapped.class, store().replace(free, next))
                    .record();
            assertEquals(2, second.attempt());
            assertEquals(second, found(held.id()));

            KeyRecord done = become(second, doneWith("ok"));
            KeyState.Done state = (KeyState.Done) done.state();
            assertEquals(done.since().plus(RETENTION), state.replayUntil());
            assertEquals(done.since().plus(RETENTION).plus(TOMBSTONE), state.forgetAt());
            assertEquals(done, found(held.id()));

            List<Long> revisions = List.of(held, renewed, again, doubt, probed, free, second, done).stream()
                    .map(KeyRecord::revision)
                    .toList();
            assertEquals(revisions.stream().sorted().distinct().toList(), revisions);
        }

        @Test
        void a_hold_keeps_what_its_caller_was_promised() {
            for (Guarantee promised : Guarantee.values()) {
                KeyId id = KeyId.of("t-" + UUID.randomUUID(), "op", "k");
                NewKey claim = new NewKey(id, fingerprint("a"), "h", LEASE, promised, Memo.NONE);
                KeyRecord written = assertInstanceOf(Inserted.Fresh.class, store().insert(claim))
                        .record();
                assertEquals(promised, ((KeyState.Held) written.state()).guarantee());
                assertEquals(written, found(id));
                Seen seen = assertInstanceOf(Inserted.Existing.class, store().insert(claim))
                        .seen();
                assertEquals(written, seen.record());
                Listing held = new Listing(id.tenant(), EnumSet.of(KeyState.Kind.HELD), 10, null);
                assertEquals(
                        List.of(KeyState.Kind.HELD),
                        store().list(held).lines().stream()
                                .map(Listing.Line::kind)
                                .toList());
            }
        }

        @Test
        void memo_and_history_stay_as_long_as_the_change_says() {
            Memo memo = Memo.of(new byte[] {0, 1, -1});
            NewKey left = new NewKey(key("memo"), fingerprint("a"), "h", LEASE, Guarantee.AT_MOST_ONCE, memo);
            KeyRecord held =
                    assertInstanceOf(Inserted.Fresh.class, store().insert(left)).record();
            assertEquals(memo, held.memo());
            assertEquals(held, found(held.id()));
            Change doubtful = Change.of(held, new Next.InDoubt("?")).remarked(held.since(), "me", "in doubt: é");
            KeyRecord doubt = assertInstanceOf(Replaced.Swapped.class, store().replace(held, doubtful))
                    .record();
            assertEquals(memo, doubt.memo());
            assertEquals(doubtful.history(), doubt.history());
            assertEquals(doubt, found(held.id()));
            KeyRecord done = become(doubt, doneWith("ok"));
            assertTrue(done.memo().isEmpty());
            assertEquals(doubtful.history(), done.history());
            assertEquals(done, found(held.id()));
            pass(RETENTION.plusSeconds(1));
            purgeAll();
            assertEquals(doubtful.history(), found(held.id()).history(), "a tombstone keeps its history");
        }

        @Test
        void a_change_may_bring_a_new_fingerprint_and_the_store_has_no_opinion() {
            KeyRecord held = held("reborn");
            Change change = new Change(fingerprint("other"), held.token() + 5, 1, new Next.Held("j", LEASE, null));
            KeyRecord reborn = assertInstanceOf(Replaced.Swapped.class, store().replace(held, change))
                    .record();
            assertEquals(fingerprint("other"), reborn.fingerprint());
            assertEquals(held.token() + 5, reborn.token());
            assertEquals(reborn, found(held.id()));
        }

        @Test
        void of_64_concurrent_swaps_exactly_one_wins() throws Exception {
            KeyRecord held = held("swap race");
            List<Replaced> answers = together(64, i -> store().replace(held, Change.of(held, doneWith("by " + i))));
            List<KeyRecord> won = new ArrayList<>();
            for (Replaced answer : answers) if (answer instanceof Replaced.Swapped it) won.add(it.record());
            assertEquals(1, won.size());
            assertEquals(won.getFirst(), found(held.id()));
            for (Replaced answer : answers)
                if (answer instanceof Replaced.Moved it)
                    assertEquals(won.getFirst(), present(it.current()).record());
        }

        @ParameterizedTest
        @ValueSource(ints = {0, 1, 255, 256, 4095, 4096, 8191, 65536, 1 << 20, 8 << 20})
        void outcomes_of_any_size_come_back_byte_for_byte(int size) {
            byte[] bytes = new byte[size];
            new Random(size).nextBytes(bytes);
            KeyRecord done = become(held("size " + size), new Next.Done(Outcome.of(bytes), RETENTION, TOMBSTONE));
            KeyState.Done state = (KeyState.Done) found(done.id()).state();
            assertArrayEquals(bytes, state.outcome().bytes());
        }
    }

    @Nested
    public class Finding {
        @Test
        void a_key_nobody_used_is_not_found() {
            assertNull(store().find(key("nobody")));
        }

        @Test
        void many_keys_are_found_in_one_look() {
            List<KeyId> ids = new ArrayList<>();
            Set<KeyRecord> written = new HashSet<>();
            for (int i = 0; i < 100; i++) {
                ids.add(key("many " + i));
                if (i % 3 == 0) written.add(held("many " + i));
            }
            Set<KeyRecord> found = new HashSet<>();
            for (Seen seen : store().findAll(ids)) found.add(seen.record());
            assertEquals(written, found);
            assertEquals(List.of(), store().findAll(List.of()));
        }

        @Test
        void a_look_says_what_time_it_is_for_the_store() {
            KeyRecord held = held("time");
            pass(Duration.ofMinutes(10));
            Seen seen = present(store().find(held.id()));
            KeyState.Held state = (KeyState.Held) seen.record().state();
            Duration overdue = Duration.between(state.leaseUntil(), seen.now());
            assertTrue(overdue.compareTo(Duration.ofMinutes(9)) > 0, "overdue by " + overdue);
        }
    }

    @Nested
    public class ListingKeys {
        @Test
        void pages_show_every_key_of_the_tenant_once() {
            Set<String> names = new HashSet<>();
            for (int i = 0; i < 25; i++) {
                held("listed " + i);
                names.add("listed " + i);
            }
            List<String> listed = new ArrayList<>();
            String after = null;
            do {
                Listing.Page page = store().list(new Listing(tenant, EnumSet.allOf(KeyState.Kind.class), 10, after));
                assertTrue(page.lines().size() <= 10);
                for (Listing.Line line : page.lines()) listed.add(line.id().key());
                after = page.next();
            } while (after != null);
            assertEquals(25, listed.size());
            assertEquals(names, new HashSet<>(listed));
        }

        @Test
        void keys_are_listed_as_they_count_now() {
            KeyRecord doubt = become(held("doubt"), new Next.InDoubt("?"));
            become(held("done"), doneWith("x"));
            become(held("free"), new Next.Free(RETENTION));
            held("held");
            assertEquals(List.of("doubt"), names(KeyState.Kind.IN_DOUBT));
            assertEquals(List.of("done"), names(KeyState.Kind.DONE));
            assertEquals(List.of("free"), names(KeyState.Kind.FREE));
            assertEquals(List.of("held"), names(KeyState.Kind.HELD));
            assertEquals(List.of(), names(KeyState.Kind.SPENT));
            pass(RETENTION.plusSeconds(1));
            assertEquals(List.of("done"), names(KeyState.Kind.SPENT));
            assertEquals(List.of(), names(KeyState.Kind.DONE));
            assertEquals(List.of(), names(KeyState.Kind.FREE));
            pass(TOMBSTONE);
            assertEquals(List.of(), names(KeyState.Kind.SPENT));
            Listing.Line line = store().list(new Listing(tenant, Set.of(KeyState.Kind.IN_DOUBT), 10, null))
                    .lines()
                    .getFirst();
            assertEquals(doubt.id(), line.id());
            assertEquals(doubt.token(), line.token());
            assertEquals(1, line.attempt());
        }

        private List<String> names(KeyState.Kind kind) {
            return store().list(new Listing(tenant, Set.of(kind), 100, null)).lines().stream()
                    .map(line -> line.id().key())
                    .toList();
        }
    }

    @Nested
    public class Purging {
        @Test
        void what_is_forgotten_goes_and_what_is_not_stays() {
            KeyRecord held = held("held");
            KeyRecord doubt = become(held("doubt"), new Next.InDoubt("?"));
            KeyRecord free = become(held("free"), new Next.Free(RETENTION));
            KeyRecord done = become(held("done"), doneWith("body"));
            purgeAll();
            for (KeyRecord record : List.of(held, doubt, free, done)) assertEquals(record, found(record.id()));

            pass(RETENTION.plusSeconds(1));
            purgeAll();
            assertNull(store().find(free.id()));
            KeyRecord spent = found(done.id());
            assertInstanceOf(KeyState.Spent.class, spent.state());
            assertEquals(done.token(), spent.token());
            assertEquals(done.fingerprint(), spent.fingerprint());

            pass(TOMBSTONE);
            purgeAll();
            assertNull(store().find(done.id()));
            assertEquals(KeyState.Kind.HELD, found(held.id()).state().kind());
            assertEquals(KeyState.Kind.IN_DOUBT, found(doubt.id()).state().kind());
        }

        @Test
        void keys_that_nobody_works_on_are_pointed_out() {
            KeyRecord silent = held("silent");
            pass(LEASE);
            KeyRecord live = held("live");
            KeyRecord doubt = become(held("doubt"), new Next.InDoubt("?"));
            KeyRecord done = become(held("done"), doneWith("body"));
            Set<KeyId> unsettled = new HashSet<>();
            for (int pass = 0; pass < 2; pass++) {
                Purged step;
                do {
                    step = store().purge(100);
                    unsettled.addAll(step.unsettled());
                } while (!step.finished());
            }
            assertTrue(unsettled.containsAll(Set.of(silent.id(), doubt.id())));
            assertFalse(unsettled.contains(live.id()) || unsettled.contains(done.id()));
        }

        @Test
        void the_doubts_that_a_sweep_comes_across_are_counted_due_or_not() {
            purgeAll();
            long before = doubtsOfOnePass();
            become(held("due"), new Next.InDoubt("?"));
            become(held("due later"), new Next.InDoubt("?", 0, RETENTION, null));
            become(held("over"), doneWith("body"));
            held("held");
            assertEquals(before + 2, doubtsOfOnePass());
        }

        private long doubtsOfOnePass() {
            long doubts = 0;
            Purged step;
            do {
                step = store().purge(100);
                doubts += step.inDoubt();
            } while (!step.finished());
            return doubts;
        }

        @Test
        void a_key_that_came_back_to_life_is_left_alone() throws Exception {
            List<KeyRecord> free = new ArrayList<>();
            for (int i = 0; i < 50; i++) free.add(become(held("phoenix " + i), new Next.Free(RETENTION)));
            pass(RETENTION.plusSeconds(1));
            List<Object> answers = together(51, i -> {
                if (i == 50) {
                    purgeAll();
                    return "purged";
                }
                KeyRecord old = free.get(i);
                return store().replace(
                                old,
                                new Change(old.fingerprint(), old.token() + 1, 1, new Next.Held("p", LEASE, null)));
            });
            for (int i = 0; i < 50; i++) {
                Seen now = store().find(free.get(i).id());
                if (answers.get(i) instanceof Replaced.Swapped won)
                    assertEquals(won.record(), present(now).record());
                else assertNull(now);
            }
        }

        @Test
        void steps_are_bounded_and_come_to_an_end() {
            for (int i = 0; i < 300; i++) become(held("step " + i), new Next.Free(Duration.ofSeconds(1)));
            pass(Duration.ofSeconds(2));
            int steps = 0;
            long removed = 0;
            boolean finished = false;
            for (int pass = 0; pass < 2; pass++) {
                do {
                    KeyStore.Purged step = store().purge(50);
                    removed += step.removed();
                    finished = step.finished();
                    assertTrue(++steps < 10_000, "a purge must end");
                } while (!finished);
            }
            assertTrue(removed >= 300, "removed " + removed);
            for (int i = 0; i < 300; i++) assertNull(store().find(key("step " + i)));
        }
    }

    @Nested
    public class Counting {
        @Test
        void keys_are_counted_by_tenant_in_whatever_state_and_only_as_far_as_asked() {
            assertEquals(0, store().count(tenant, 10));
            held("held");
            become(held("free"), new Next.Free(RETENTION));
            become(held("done"), doneWith("x"));
            become(held("large"), doneWith("x".repeat(10_000)));
            become(held("doubt"), new Next.InDoubt("?"));
            store().insert(new NewKey(KeyId.of(tenant + "x", "POST /v1/charges", "k"), fingerprint("a"), "h", LEASE));
            store().insert(newKey("held"));
            assertEquals(5, store().count(tenant, 10));
            assertEquals(5, store().count(tenant, 5));
            assertEquals(2, store().count(tenant, 2));
            assertEquals(5, store().count(tenant, Long.MAX_VALUE));
            assertEquals(1, store().count(tenant + "x", 10));
        }

        @Test
        void what_is_purged_no_longer_counts_and_tombstones_do() {
            for (int i = 0; i < 3; i++) become(held("done " + i), doneWith("x"));
            for (int i = 0; i < 4; i++) become(held("free " + i), new Next.Free(RETENTION));
            assertEquals(7, store().count(tenant, 100));
            pass(RETENTION.plusSeconds(1));
            purgeAll();
            assertEquals(3, store().count(tenant, 100));
            pass(TOMBSTONE.plusSeconds(1));
            purgeAll();
            assertEquals(0, store().count(tenant, 100));
        }

        @ParameterizedTest
        @ValueSource(strings = {"'", "; drop table semel_key; --", "鍵🔑", "%", "_", " "})
        void odd_tenants_are_tenants_like_any_other(String odd) {
            KeyId id = KeyId.of(tenant + odd, "POST /v1/charges", "k");
            store().insert(new NewKey(id, fingerprint("a"), "h", LEASE));
            assertEquals(1, store().count(tenant + odd, 10));
        }

        @Test
        void whoever_counts_while_others_write_counts_all_that_was_written_before() throws Exception {
            List<Long> counts = together(32, i -> {
                for (int k = 0; k < 4; k++) {
                    KeyRecord mine = held("mine " + i + " " + k);
                    if (k % 2 == 0) become(mine, new Next.Free(RETENTION));
                }
                return store().count(tenant, 1000);
            });
            for (long count : counts) assertTrue(count >= 4 && count <= 128, "counted " + count);
            assertEquals(128, store().count(tenant, 1000));
        }
    }

    private static <T> T present(@Nullable T value) {
        assertNotNull(value);
        return Objects.requireNonNull(value);
    }

    /** Runs so many calls at the same moment, and returns their answers in order. */
    protected static <T> List<T> together(int count, Call<T> call) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch start = new CountDownLatch(1);
            List<Callable<T>> calls = IntStream.range(0, count)
                    .mapToObj(i -> (Callable<T>) () -> {
                        start.await();
                        return call.run(i);
                    })
                    .toList();
            List<Future<T>> futures = calls.stream().map(threads::submit).toList();
            start.countDown();
            List<T> answers = new ArrayList<>();
            for (Future<T> future : futures) answers.add(future.get());
            return answers;
        }
    }

    /** One of many calls made together. */
    protected interface Call<T> {
        T run(int index) throws Exception;
    }
}
