package dev.semel.store.rocksdb;

import static dev.semel.store.rocksdb.Sample.complete;
import static dev.semel.store.rocksdb.Sample.id;
import static dev.semel.store.rocksdb.Sample.insert;
import static dev.semel.store.rocksdb.Sample.outcome;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.KeyState.Kind;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.testkit.HandClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksKeyStoreTest {
    @TempDir
    Path dir;

    private final HandClock clock = new HandClock(Instant.parse("2026-01-01T00:00:00.123456789Z"));
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    private RocksKeyStore open() {
        return RocksKeyStore.open(dir, Durability.OS, clock);
    }

    @Test
    void records_survive_a_reopen_whatever_the_size_of_their_outcome() {
        Map<String, KeyRecord> written = new HashMap<>();
        try (RocksKeyStore store = open()) {
            for (int size : new int[] {0, 1, 4095, 4096, 100_000, 8 * 1024 * 1024}) {
                String key = "of " + size;
                written.put(key, complete(store, insert(store, key), outcome(size, random)));
            }
            written.put("held", insert(store, "held"));
        }
        try (RocksKeyStore store = open()) {
            written.forEach((key, record) -> assertEquals(new Seen(record, clock.instant()), store.find(id(key))));
        }
    }

    @Test
    void a_duplicate_costs_no_commit() {
        try (RocksKeyStore store = open()) {
            KeyRecord done = complete(store, insert(store, "k"), outcome(10_000, random));
            long before = store.commits().commits();
            assertEquals(new Inserted.Existing(new Seen(done, clock.instant())), store.insert(Sample.claim("k")));
            assertEquals(before, store.commits().commits());
        }
    }

    @Test
    void an_outcome_that_stands_apart_goes_with_its_record() throws Exception {
        try (RocksKeyStore store = open()) {
            complete(store, insert(store, "kept"), outcome(5_000, random));
            KeyRecord other = complete(store, insert(store, "k"), outcome(5_000, random));
            Next.Held again = new Next.Held("other", Sample.LEASE, null);
            Sample.swap(store, other, new Change(other.fingerprint(), other.token() + 1, 1, again));
        }
        assertEquals(3, RawStore.entries(dir).size(), "two records and one body");
        try (RocksKeyStore store = open()) {
            KeyRecord held = store.find(id("k")).record();
            complete(store, held, outcome(6_000, random));
        }
        assertEquals(4, RawStore.entries(dir).size(), "two records and two bodies");
    }

    @Test
    void a_missing_body_is_an_error_and_not_an_empty_answer() throws Exception {
        try (RocksKeyStore store = open()) {
            complete(store, insert(store, "k"), outcome(5_000, random));
        }
        byte[] body = RawStore.entries(dir).lastKey();
        RawStore.open(dir, rocks -> {
            rocks.delete(body);
            return null;
        });
        try (RocksKeyStore store = open()) {
            assertThrows(StoreException.class, () -> store.find(id("k")));
            assertThrows(StoreException.class, () -> store.insert(Sample.claim("k")));
        }
    }

    @Test
    void two_keys_with_one_digest_never_share_a_record() throws Exception {
        KeyRecord other = Sample.claim("other").at(clock.instant());
        RocksKeyStore.open(dir, Durability.OS).close();
        RawStore.put(dir, id("mine").digest(), RecordCodec.encode(other));
        try (RocksKeyStore store = open()) {
            KeyRecord mine = Sample.claim("mine").at(clock.instant());
            assertThrows(IllegalStateException.class, () -> store.insert(Sample.claim("mine")));
            assertThrows(IllegalStateException.class, () -> store.find(id("mine")));
            assertThrows(IllegalStateException.class, () -> store.replace(mine, Sample.done(mine, outcome(1, random))));
        }
        assertEquals(1, RawStore.entries(dir).size());
    }

    @Test
    void a_record_of_an_unknown_format_is_never_overwritten() throws Exception {
        RocksKeyStore.open(dir, Durability.OS).close();
        KeyRecord record = Sample.claim("k").at(clock.instant());
        byte[] future = RecordCodec.encode(record);
        future[0] = 3;
        RawStore.put(dir, id("k").digest(), future);
        try (RocksKeyStore store = open()) {
            List<Runnable> calls = List.of(
                    () -> store.insert(Sample.claim("k")),
                    () -> store.replace(record, Sample.done(record, outcome(1, random))),
                    () -> store.find(id("k")),
                    () -> store.findAll(List.of(id("k"))));
            for (Runnable call : calls) {
                String message = assertThrows(StoreException.class, call::run).getMessage();
                assertTrue(message.contains("format version 3"), message);
            }
            assertTrue(store.list(new Listing(null, EnumSet.allOf(Kind.class), 10, null))
                    .lines()
                    .isEmpty());
            assertEquals(1, store.sweep(10).unreadable().size());
        }
        assertEquals(3, RawStore.entries(dir).get(id("k").digest())[0]);
    }

    @Test
    void a_record_of_the_first_format_is_still_read() throws Exception {
        RocksKeyStore.open(dir, Durability.OS).close();
        KeyRecord record = Sample.claim("k").at(clock.instant());
        byte[] now = RecordCodec.encode(record);
        byte[] before = Arrays.copyOf(now, now.length - 4);
        before[0] = 1;
        RawStore.put(dir, id("k").digest(), before);
        try (RocksKeyStore store = open()) {
            assertEquals(record, store.find(id("k")).record());
        }
    }

    @Test
    void a_wish_that_cannot_be_granted_is_the_trouble_of_its_caller_alone() {
        try (RocksKeyStore store = open()) {
            NewKey forever = new NewKey(id("k"), Sample.FINGERPRINT, "h", Duration.ofSeconds(Long.MAX_VALUE));
            assertThrows(RuntimeException.class, () -> store.insert(forever));
            assertNull(store.find(id("k")));
            insert(store, "k");
        }
    }

    @Test
    void the_revision_decides() {
        try (RocksKeyStore store = open()) {
            KeyRecord held = insert(store, "k");
            KeyRecord done = complete(store, held, outcome(1, random));
            var moved =
                    assertInstanceOf(Replaced.Moved.class, store.replace(held, Sample.done(held, outcome(2, random))));
            assertEquals(done, moved.current().record());
            KeyRecord absent = Sample.claim("absent").at(clock.instant());
            assertEquals(new Replaced.Moved(null), store.replace(absent, Sample.done(absent, outcome(1, random))));
        }
    }

    @Test
    void many_keys_are_found_in_one_look() {
        try (RocksKeyStore store = open()) {
            KeyRecord a = insert(store, "a");
            KeyRecord b = complete(store, insert(store, "b"), outcome(9_000, random));
            List<Seen> found = store.findAll(List.of(id("b"), id("nobody"), id("a")));
            assertEquals(List.of(b, a), found.stream().map(Seen::record).toList());
            assertEquals(List.of(), store.findAll(List.of()));
        }
    }

    @Test
    void lists_what_the_store_in_memory_lists() {
        InMemoryKeyStore memory = new InMemoryKeyStore(clock);
        try (RocksKeyStore store = open()) {
            for (KeyStore each : List.of(memory, store)) fill(each, new Random(seed));
            clock.advance(Sample.RETENTION.plusSeconds(1));
            for (int round = 0; round < 40; round++) {
                Set<Kind> kinds = EnumSet.noneOf(Kind.class);
                for (Kind kind : Kind.values()) if (random.nextBoolean()) kinds.add(kind);
                String tenant = random.nextBoolean() ? null : "tenant" + random.nextInt(3);
                int limit = 1 + random.nextInt(20);
                assertEquals(all(memory, tenant, kinds, limit), all(store, tenant, kinds, limit), () -> "seed " + seed);
            }
        }
    }

    private static void fill(KeyStore store, Random random) {
        for (int i = 0; i < 200; i++) {
            KeyId id = KeyId.of("tenant" + random.nextInt(3), "op", "key " + i);
            var fresh = (Inserted.Fresh) store.insert(new NewKey(id, Sample.FINGERPRINT, "h", Sample.LEASE));
            Next next = switch (random.nextInt(5)) {
                case 0 -> new Next.Free(Duration.ofHours(random.nextInt(48)));
                case 1 -> new Next.InDoubt("who knows");
                case 2 -> new Next.Done(outcome(10, random), Duration.ofDays(9), Sample.TOMBSTONE);
                case 3 -> new Next.Done(outcome(5_000, random), Sample.RETENTION, Sample.TOMBSTONE);
                default -> null;
            };
            if (next != null) Sample.swap(store, fresh.record(), Change.of(fresh.record(), next));
        }
    }

    private static List<Listing.Line> all(KeyStore store, String tenant, Set<Kind> kinds, int limit) {
        List<Listing.Line> lines = new ArrayList<>();
        String after = null;
        do {
            Listing.Page page = store.index().list(new Listing(tenant, kinds, limit, after));
            lines.addAll(page.lines());
            after = page.next();
        } while (after != null);
        return lines;
    }

    @Test
    void a_place_that_no_page_ended_at_is_refused() {
        try (RocksKeyStore store = open()) {
            for (String cursor : List.of("", "xyz", "00ff"))
                assertThrows(
                        IllegalArgumentException.class,
                        () -> store.list(new Listing(null, EnumSet.allOf(Kind.class), 10, cursor)));
        }
    }

    @Test
    void instants_keep_their_nanoseconds() {
        try (RocksKeyStore store = open()) {
            KeyRecord record = insert(store, "k");
            assertEquals(clock.instant(), record.since());
            assertEquals(record, store.find(id("k")).record());
            assertEquals(
                    123_456_789, ((KeyState.Held) record.state()).leaseUntil().getNano());
        }
    }
}
