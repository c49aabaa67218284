package dev.semel.store.rocksdb;

import static dev.semel.store.rocksdb.Sample.id;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState.Kind;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ConcurrencyTest {
    @TempDir
    Path dir;

    private final long seed = System.nanoTime();

    @Test
    void of_sixty_four_callers_exactly_one_is_granted_a_key() throws Exception {
        int rounds = 100;
        List<AtomicInteger> fresh = new ArrayList<>();
        for (int i = 0; i < rounds; i++) fresh.add(new AtomicInteger());
        CyclicBarrier together = new CyclicBarrier(64);
        try (RocksKeyStore store = RocksKeyStore.open(dir, Durability.OS)) {
            allOf(64, caller -> () -> {
                for (int round = 0; round < rounds; round++) {
                    NewKey claim = new NewKey(id("round " + round), Sample.FINGERPRINT, "c" + caller, Sample.LEASE);
                    together.await();
                    if (store.insert(claim) instanceof Inserted.Fresh)
                        fresh.get(round).incrementAndGet();
                }
                return null;
            });
            for (AtomicInteger each : fresh) assertEquals(1, each.get());
        }
    }

    @Test
    void concurrent_writes_share_commits() throws Exception {
        try (RocksKeyStore store = RocksKeyStore.open(dir, Durability.SYNC)) {
            allOf(32, caller -> () -> {
                for (int i = 0; i < 50; i++) Sample.insert(store, caller + "-" + i);
                return null;
            });
            CommitCount count = store.commits();
            assertEquals(32 * 50, count.writes());
            assertTrue(count.commits() * 2 < count.writes(), count::toString);
        }
    }

    /** Whoever swaps makes the revision that follows the one he saw; so no revision of a key is ever made twice. */
    @Test
    void no_two_callers_ever_build_on_the_same_revision() throws Exception {
        Map<String, KeyRecord> made = new ConcurrentHashMap<>();
        try (RocksKeyStore store = RocksKeyStore.open(dir, Durability.OS)) {
            allOf(16, caller -> () -> {
                Random random = new Random(seed + caller);
                for (int i = 0; i < 400; i++) {
                    String key = "key " + random.nextInt(4);
                    KeyRecord record = step(store, key, random);
                    if (record == null) continue;
                    assertNull(made.put(key + " @ " + record.revision(), record), () -> "seed " + seed);
                }
                return null;
            });
            for (int i = 0; i < 4; i++) {
                KeyRecord last = store.find(id("key " + i)).record();
                assertEquals(made.get("key " + i + " @ " + last.revision()), last, () -> "seed " + seed);
            }
        }
    }

    /** The record that the step has made; null when it came too late. */
    private static KeyRecord step(RocksKeyStore store, String key, Random random) {
        switch (store.insert(Sample.claim(key))) {
            case Inserted.Fresh(KeyRecord record) -> {
                return record;
            }
            case Inserted.Existing(Seen seen) -> {
                Outcome outcome = Sample.outcome(random.nextInt(9_000), random);
                Next next = random.nextBoolean()
                        ? new Next.Done(outcome, Sample.RETENTION, Sample.TOMBSTONE)
                        : new Next.Held("h" + random.nextInt(), Sample.LEASE, null);
                return store.replace(seen.record(), Change.of(seen.record(), next)) instanceof Replaced.Swapped swapped
                        ? swapped.record()
                        : null;
            }
            case Inserted.Busy it -> throw new AssertionError("Nobody joins keys here.");
        }
    }

    @Test
    void closing_under_load_refuses_callers_and_harms_nobody() throws Exception {
        RocksKeyStore store = RocksKeyStore.open(dir, Durability.OS);
        Listing everything = new Listing(null, EnumSet.allOf(Kind.class), 100, null);
        CountDownLatch busy = new CountDownLatch(8 * 200);
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<StoreException>> refused = new ArrayList<>();
            for (int caller = 0; caller < 8; caller++) {
                String name = "caller " + caller;
                refused.add(threads.submit(() -> {
                    try {
                        for (int i = 0; ; i++) {
                            Sample.complete(
                                    store, Sample.insert(store, name + i), Sample.outcome(5_000, new Random(i)));
                            store.find(id(name + i));
                            store.list(everything);
                            store.sweep(100);
                            busy.countDown();
                        }
                    } catch (StoreException e) {
                        return e;
                    }
                }));
            }
            busy.await();
            store.close();
            for (Future<StoreException> each : refused)
                assertEquals(StoreException.Applied.NO, each.get().applied());
        }
        store.close();
    }

    private interface Work {
        Callable<Void> of(int caller);
    }

    private static void allOf(int callers, Work work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Void>> done = new ArrayList<>();
            for (int caller = 0; caller < callers; caller++) done.add(threads.submit(work.of(caller)));
            for (Future<Void> each : done) each.get();
        }
    }
}
