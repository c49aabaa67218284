package dev.semel.store.rocksdb;

import static dev.semel.store.rocksdb.Sample.complete;
import static dev.semel.store.rocksdb.Sample.id;
import static dev.semel.store.rocksdb.Sample.insert;
import static dev.semel.store.rocksdb.Sample.outcome;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyIndex.Swept;
import dev.semel.core.store.Next;
import dev.semel.testkit.HandClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PurgeTest {
    @TempDir
    Path dir;

    private final HandClock clock = new HandClock(Instant.parse("2026-01-01T00:00:00.123456789Z"));
    private final Random random = new Random(1);

    private RocksKeyStore open() {
        return RocksKeyStore.open(dir, Durability.OS, clock);
    }

    @Test
    void expired_bodies_and_keys_leave_the_disk() throws Exception {
        int keys = 2_000;
        try (RocksKeyStore store = open()) {
            for (int i = 0; i < keys; i++) complete(store, insert(store, "key " + i), outcome(200 + i * 5, random));
            store.compact();
        }
        long full = Folders.size(dir);
        assertTrue(full > 8_000_000, "written: " + full);

        clock.advance(Sample.RETENTION);
        try (RocksKeyStore store = open()) {
            assertEquals(new Swept(keys, 0, keys, true), purgeAll(store));
            store.compact();
            KeyRecord left = store.find(id("key 1999")).record();
            assertInstanceOf(KeyState.Spent.class, left.state());
            assertEquals(left.since(), ((KeyState.Spent) left.state()).doneAt());
        }
        long stripped = Folders.size(dir);
        assertTrue(stripped < full / 10, "of " + full + " bytes " + stripped + " are left");
        assertEquals(keys, RawStore.entries(dir).size(), "no bodies are left over");

        clock.advance(Sample.TOMBSTONE);
        try (RocksKeyStore store = open()) {
            assertEquals(new Swept(keys, keys, 0, true), purgeAll(store));
            assertNull(store.find(id("key 0")));
            store.compact();
        }
        assertTrue(Folders.size(dir) <= stripped, "of " + stripped + " bytes " + Folders.size(dir) + " are left");
        assertEquals(0, RawStore.entries(dir).size());
    }

    private static Swept purgeAll(RocksKeyStore store) {
        Swept sum = new Swept(0, 0, 0, false);
        for (int steps = 0; steps < 100 && !sum.finished(); steps++) {
            Swept step = store.sweep(300);
            assertTrue(step.looked() <= 300);
            sum = new Swept(
                    sum.looked() + step.looked(),
                    sum.removed() + step.removed(),
                    sum.stripped() + step.stripped(),
                    step.finished());
        }
        return sum;
    }

    @Test
    void what_has_not_expired_stays_as_it_is() {
        try (RocksKeyStore store = open()) {
            KeyRecord held = insert(store, "held");
            KeyRecord doubt = insert(store, "doubt");
            doubt = Sample.swap(store, doubt, Change.of(doubt, new Next.InDoubt("no answer")));
            clock.advance(Duration.ofDays(1000));
            KeyRecord free = insert(store, "free");
            free = Sample.swap(store, free, Change.of(free, new Next.Free(Sample.RETENTION)));
            KeyRecord done = complete(store, insert(store, "done"), outcome(5_000, random));
            clock.advance(Sample.RETENTION.minusNanos(1));

            Swept purged = store.sweep(1000);
            assertEquals(List.of(4L, 0L, 0L), List.of(purged.looked(), purged.removed(), purged.stripped()));
            assertEquals(Set.of(held.id(), doubt.id()), Set.copyOf(purged.due()));
            for (KeyRecord record : new KeyRecord[] {held, doubt, free, done})
                assertEquals(record, store.find(record.id()).record());

            clock.advance(Duration.ofNanos(1));
            purged = store.sweep(1000);
            assertEquals(List.of(4L, 1L, 1L), List.of(purged.looked(), purged.removed(), purged.stripped()));
            assertNull(store.find(free.id()));
        }
    }

    @Test
    void a_step_goes_on_where_the_last_one_stopped_and_then_starts_over() {
        try (RocksKeyStore store = open()) {
            for (int i = 0; i < 10; i++) complete(store, insert(store, "key " + i), outcome(i * 1000, random));
            for (int round = 0; round < 3; round++) {
                assertEquals(new Swept(4, 0, 0, false), store.sweep(4));
                assertEquals(new Swept(4, 0, 0, false), store.sweep(4));
                assertEquals(new Swept(2, 0, 0, true), store.sweep(4));
            }
        }
    }

    @Test
    void a_key_that_is_granted_again_between_look_and_removal_stays() {
        try (RocksKeyStore store = open()) {
            KeyRecord again = complete(store, insert(store, "again"), outcome(5_000, random));
            complete(store, insert(store, "forgotten"), outcome(5_000, random));
            clock.advance(Sample.RETENTION.plus(Sample.TOMBSTONE));

            Sweep.Look look = store.sweep().look(1000, clock.instant());
            assertEquals(2, look.expired().size());
            Next.Held held = new Next.Held("second life", Sample.LEASE, null);
            KeyRecord granted = Sample.swap(store, again, new Change(again.fingerprint(), again.token() + 1, 1, held));

            assertEquals(new Swept(2, 1, 0, true), store.sweep().clean(look));
            assertEquals(granted, store.find(id("again")).record());
            assertNull(store.find(id("forgotten")));
        }
    }

    @Test
    void a_key_that_is_claimed_after_its_removal_starts_above_its_old_tokens() {
        try (RocksKeyStore store = open()) {
            KeyRecord first = complete(store, insert(store, "k"), outcome(1, random));
            clock.advance(Sample.RETENTION.plus(Sample.TOMBSTONE));
            assertEquals(1, store.sweep(10).removed());
            assertTrue(insert(store, "k").token() > first.token());
        }
    }
}
