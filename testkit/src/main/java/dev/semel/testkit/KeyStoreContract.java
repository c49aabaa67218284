package dev.semel.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreTraits.Forgetting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The laws that every {@link KeyStore} keeps. A store's test extends this, says how to get a store and how to let time
 * pass on its clock, and adds what only that store can get wrong. The store may be shared by all tests: every test uses
 * keys of its own.
 */
public abstract class KeyStoreContract extends StoreScene {
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
        void an_insert_returns_an_expired_record_that_is_still_there_rather_than_writing_over_it() {
            KeyRecord done = become(held("expired"), doneWith("x"));
            pass(RETENTION.plus(TOMBSTONE).plusSeconds(1));
            switch (store().insert(newKey("expired"))) {
                case Inserted.Existing(Seen seen) -> {
                    assertEquals(done.token(), seen.record().token());
                    assertNull(seen.record().asOf(seen.now()));
                }
                case Inserted.Fresh(KeyRecord next) -> {
                    assertEquals(Forgetting.SERVER, store().traits().forgetting(), "nobody has forgotten it");
                    assertTrue(next.token() > done.token());
                }
                case Inserted.Busy it -> throw new AssertionError(it);
            }
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
        void a_record_from_another_store_says_when_it_was_finished_there() {
            KeyRecord held = held("finished before");
            Instant finished = held.since().minus(Duration.ofDays(3));
            Next.Done next = new Next.Done(Outcome.of(new byte[] {7}), RETENTION, TOMBSTONE, finished);
            Change change = Change.of(held, next).with(Memo.of(new byte[] {8}), next);
            KeyRecord done = assertInstanceOf(Replaced.Swapped.class, store().replace(held, change))
                    .record();
            assertEquals(finished, done.since());
            assertEquals(change.memo(), done.memo());
            KeyState.Done state = (KeyState.Done) done.state();
            assertFalse(state.replayUntil().isBefore(held.since().plus(RETENTION)), "kept from now on");
            assertEquals(state.replayUntil().plus(TOMBSTONE), state.forgetAt());
            assertEquals(done, found(held.id()));

            pass(RETENTION.plusSeconds(1));
            Seen later = present(store().find(held.id()));
            KeyState.Spent spent =
                    (KeyState.Spent) present(later.record().asOf(later.now())).state();
            Duration ago = Duration.between(spent.doneAt(), later.now());
            assertTrue(ago.compareTo(RETENTION.plusDays(3)) > 0, "finished " + ago + " ago");
        }

        @Test
        void a_hold_keeps_what_its_caller_was_promised() {
            for (Guarantee promised : List.of(Guarantee.AT_MOST_ONCE, Guarantee.AT_LEAST_ONCE)) {
                KeyId id = KeyId.of("t-" + UUID.randomUUID(), "op", "k");
                NewKey claim = new NewKey(id, fingerprint("a"), "h", LEASE, promised, false, Memo.NONE);
                KeyRecord written = assertInstanceOf(Inserted.Fresh.class, store().insert(claim))
                        .record();
                assertEquals(promised, ((KeyState.Held) written.state()).guarantee());
                assertEquals(written, found(id));
                Seen seen = assertInstanceOf(Inserted.Existing.class, store().insert(claim))
                        .seen();
                assertEquals(written, seen.record());
            }
        }

        @Test
        void that_a_holder_is_remote_is_known_for_as_long_as_it_matters() {
            NewKey claim =
                    new NewKey(key("remote"), fingerprint("a"), "h", LEASE, Guarantee.AT_LEAST_ONCE, true, Memo.NONE);
            KeyRecord held = assertInstanceOf(Inserted.Fresh.class, store().insert(claim))
                    .record();
            assertTrue(held.remote());
            assertEquals(held, found(held.id()));
            assertEquals(Guarantee.AT_LEAST_ONCE, ((KeyState.Held) held.state()).guarantee());
            KeyRecord renewed = become(held, new Next.Held("h", LEASE, Guarantee.AT_MOST_ONCE, held.since()));
            assertTrue(renewed.remote());
            assertEquals(renewed, found(held.id()));
            KeyRecord doubt = become(renewed, new Next.InDoubt("?"));
            assertTrue(doubt.remote());
            assertEquals(doubt, found(held.id()));
            KeyRecord done = become(doubt, doneWith("ok"));
            assertFalse(done.remote());
            assertEquals(done, found(held.id()));
            assertFalse(held("not remote").remote());
        }

        @Test
        void outcomes_and_memos_may_begin_with_any_byte() {
            for (int first : new int[] {0, 1, 0x7e, 0xa1, 0xac, 0xfe, 0xff}) {
                byte[] bytes = {(byte) first, (byte) 0xed, 0, 5};
                NewKey claim = new NewKey(
                        key("first byte " + first),
                        fingerprint("a"),
                        "h",
                        LEASE,
                        Guarantee.AT_MOST_ONCE,
                        false,
                        Memo.of(bytes));
                KeyRecord held = assertInstanceOf(Inserted.Fresh.class, store().insert(claim))
                        .record();
                assertArrayEquals(bytes, found(held.id()).memo().payload());
                become(held, new Next.Done(Outcome.of(bytes), RETENTION, TOMBSTONE));
                KeyState.Done done = (KeyState.Done) found(held.id()).state();
                assertArrayEquals(bytes, done.outcome().payload());
            }
        }

        @Test
        void memo_and_history_stay_as_long_as_the_change_says() {
            Memo memo = Memo.of(new byte[] {0, 1, -1});
            NewKey left = new NewKey(key("memo"), fingerprint("a"), "h", LEASE, Guarantee.AT_MOST_ONCE, false, memo);
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
            // The engine hands no larger one to a store than this says; one byte is the number of its format.
            byte[] bytes = new byte[(int) Math.min(size, store().traits().largestOutcome() - 1)];
            new Random(size).nextBytes(bytes);
            KeyRecord done = become(held("size " + size), new Next.Done(Outcome.of(bytes), RETENTION, TOMBSTONE));
            KeyState.Done state = (KeyState.Done) found(done.id()).state();
            assertArrayEquals(bytes, state.outcome().payload());
        }
    }

    @Nested
    public class Finding {
        @Test
        void it_offers_what_its_traits_say() {
            assertEquals(store().traits().joins(), store().joining() != null, "joins");
            assertEquals(store().traits().notifies(), store().news() != null, "notifies");
            assertEquals(store().traits(), store().traits(), "the same for as long as it is open");
        }

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
}
