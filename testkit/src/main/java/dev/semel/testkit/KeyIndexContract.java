package dev.semel.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyIndex.Swept;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreTraits.Forgetting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a store with an index does for those who look after many keys. Part of {@link IndexedKeyStoreContract}. */
public abstract class KeyIndexContract extends StoreScene {
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
                Listing.Page page = index().list(new Listing(tenant, EnumSet.allOf(KeyState.Kind.class), 10, after));
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
            Listing.Line line = index().list(new Listing(tenant, Set.of(KeyState.Kind.IN_DOUBT), 10, null))
                    .lines()
                    .getFirst();
            assertEquals(doubt.id(), line.id());
            assertEquals(doubt.token(), line.token());
            assertEquals(1, line.attempt());
        }

        @Test
        void a_hold_is_listed_as_held_whatever_its_caller_was_promised_and_wherever_it_is() {
            for (Guarantee promised : List.of(Guarantee.AT_MOST_ONCE, Guarantee.AT_LEAST_ONCE))
                for (boolean remote : new boolean[] {false, true}) {
                    KeyId id = KeyId.of("t-" + UUID.randomUUID(), "op", "k");
                    store().insert(new NewKey(id, fingerprint("a"), "h", LEASE, promised, remote, Memo.NONE));
                    Listing held = new Listing(id.tenant(), EnumSet.of(KeyState.Kind.HELD), 10, null);
                    assertEquals(
                            List.of(KeyState.Kind.HELD),
                            index().list(held).lines().stream()
                                    .map(Listing.Line::kind)
                                    .toList());
                }
        }

        @Test
        void a_doubt_is_listed_also_when_its_holder_was_remote() {
            KeyRecord held = assertInstanceOf(
                            Inserted.Fresh.class,
                            store().insert(new NewKey(
                                    key("far"), fingerprint("a"), "h", LEASE, Guarantee.AT_MOST_ONCE, true, Memo.NONE)))
                    .record();
            become(held, new Next.InDoubt("?"));
            assertEquals(List.of("far"), names(KeyState.Kind.IN_DOUBT));
        }

        private List<String> names(KeyState.Kind kind) {
            return index().list(new Listing(tenant, Set.of(kind), 100, null)).lines().stream()
                    .map(line -> line.id().key())
                    .toList();
        }
    }

    @Nested
    public class Sweeping {
        @Test
        void a_record_that_is_gone_cannot_be_swapped() {
            KeyRecord free = become(held("gone"), new Next.Free(RETENTION));
            pass(RETENTION.plusSeconds(1));
            sweepAll();
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
            sweepAll();
            KeyRecord second = held("two lives");
            assertInstanceOf(Replaced.Moved.class, store().replace(first, Change.of(first, doneWith("zombie"))));
            assertEquals(second, found(first.id()));
            assertTrue(second.token() > first.token(), "tokens grow across forgetting");
            assertTrue(second.revision() > first.revision() + 1, "so do revisions");
        }

        @Test
        void a_tombstone_keeps_its_history() {
            KeyRecord held = held("history");
            Change remarked = Change.of(held, doneWith("ok")).remarked(held.since(), "me", "é");
            assertInstanceOf(Replaced.Swapped.class, store().replace(held, remarked));
            pass(RETENTION.plusSeconds(1));
            sweepAll();
            assertInstanceOf(KeyState.Spent.class, found(held.id()).state());
            assertEquals(remarked.history(), found(held.id()).history());
        }

        @Test
        void what_is_forgotten_goes_and_what_is_not_stays() {
            KeyRecord held = held("held");
            KeyRecord doubt = become(held("doubt"), new Next.InDoubt("?"));
            KeyRecord free = become(held("free"), new Next.Free(RETENTION));
            KeyRecord done = become(held("done"), doneWith("body"));
            sweepAll();
            for (KeyRecord record : List.of(held, doubt, free, done)) assertEquals(record, found(record.id()));

            pass(RETENTION.plusSeconds(1));
            sweepAll();
            assertNull(store().find(free.id()));
            KeyRecord spent = found(done.id());
            assertInstanceOf(KeyState.Spent.class, spent.state());
            assertEquals(done.token(), spent.token());
            assertEquals(done.fingerprint(), spent.fingerprint());

            pass(TOMBSTONE);
            sweepAll();
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
            Set<KeyId> due = new HashSet<>();
            for (int pass = 0; pass < 2; pass++) {
                Swept step;
                do {
                    step = index().sweep(100);
                    due.addAll(step.due());
                } while (!step.finished());
            }
            assertTrue(due.containsAll(Set.of(silent.id(), doubt.id())));
            assertFalse(due.contains(live.id()) || due.contains(done.id()));
        }

        @Test
        void the_doubts_that_a_sweep_comes_across_are_counted_due_or_not() {
            sweepAll();
            long before = doubtsOfOnePass();
            become(held("due"), new Next.InDoubt("?"));
            become(held("due later"), new Next.InDoubt("?", 0, RETENTION, null));
            become(held("over"), doneWith("body"));
            held("held");
            assertEquals(before + 2, doubtsOfOnePass());
        }

        private long doubtsOfOnePass() {
            long doubts = 0;
            Swept step;
            do {
                step = index().sweep(100);
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
                    sweepAll();
                    return "swept";
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
                    Swept step = index().sweep(50);
                    removed += step.removed();
                    finished = step.finished();
                    assertTrue(++steps < 10_000, "a sweep must end");
                } while (!finished);
            }
            boolean bySweep = store().traits().forgetting() == Forgetting.SWEEP;
            assertTrue(!bySweep || removed >= 300, "removed " + removed);
            for (int i = 0; i < 300; i++) assertNull(store().find(key("step " + i)));
        }
    }

    @Nested
    public class Counting {
        /** A store that cannot count says so, rather than a number that is not true. */
        private boolean refusesToCount() {
            if (store().traits().counts()) return false;
            assertThrows(UnsupportedOperationException.class, () -> index().count(tenant, 10));
            return true;
        }

        @Test
        void keys_are_counted_by_tenant_in_whatever_state_and_only_as_far_as_asked() {
            if (refusesToCount()) return;
            assertEquals(0, index().count(tenant, 10));
            held("held");
            become(held("free"), new Next.Free(RETENTION));
            become(held("done"), doneWith("x"));
            become(held("large"), doneWith("x".repeat(10_000)));
            become(held("doubt"), new Next.InDoubt("?"));
            store().insert(new NewKey(KeyId.of(tenant + "x", "POST /v1/charges", "k"), fingerprint("a"), "h", LEASE));
            store().insert(newKey("held"));
            assertEquals(5, index().count(tenant, 10));
            assertEquals(5, index().count(tenant, 5));
            assertEquals(2, index().count(tenant, 2));
            assertEquals(5, index().count(tenant, Long.MAX_VALUE));
            assertEquals(1, index().count(tenant + "x", 10));
        }

        @Test
        void what_is_swept_no_longer_counts_and_tombstones_do() {
            if (refusesToCount()) return;
            for (int i = 0; i < 3; i++) become(held("done " + i), doneWith("x"));
            for (int i = 0; i < 4; i++) become(held("free " + i), new Next.Free(RETENTION));
            assertEquals(7, index().count(tenant, 100));
            pass(RETENTION.plusSeconds(1));
            sweepAll();
            assertEquals(3, index().count(tenant, 100));
            pass(TOMBSTONE.plusSeconds(1));
            sweepAll();
            assertEquals(0, index().count(tenant, 100));
        }

        @ParameterizedTest
        @ValueSource(strings = {"'", "; drop table semel_key; --", "鍵🔑", "%", "_", " "})
        void odd_tenants_are_tenants_like_any_other(String odd) {
            if (refusesToCount()) return;
            KeyId id = KeyId.of(tenant + odd, "POST /v1/charges", "k");
            store().insert(new NewKey(id, fingerprint("a"), "h", LEASE));
            assertEquals(1, index().count(tenant + odd, 10));
        }

        @Test
        void whoever_counts_while_others_write_counts_all_that_was_written_before() throws Exception {
            if (refusesToCount()) return;
            List<Long> counts = together(32, i -> {
                for (int k = 0; k < 4; k++) {
                    KeyRecord mine = held("mine " + i + " " + k);
                    if (k % 2 == 0) become(mine, new Next.Free(RETENTION));
                }
                return index().count(tenant, 1000);
            });
            for (long count : counts) assertTrue(count >= 4 && count <= 128, "counted " + count);
            assertEquals(128, index().count(tenant, 1000));
        }
    }
}
