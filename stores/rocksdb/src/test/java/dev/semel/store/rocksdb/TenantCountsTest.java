package dev.semel.store.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.StoreException;
import dev.semel.testkit.HandClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("it looks at the memory of the process")
class TenantCountsTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    Path dir;

    private final HandClock clock = new HandClock();

    private static KeyRecord insert(RocksKeyStore store, String tenant, int key) {
        NewKey fresh = new NewKey(
                KeyId.of(tenant, "op", "k" + key),
                Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1}),
                "h",
                HOUR);
        return ((Inserted.Fresh) store.insert(fresh)).record();
    }

    private static void free(RocksKeyStore store, KeyRecord record) {
        store.replace(record, Change.of(record, new Next.Free(HOUR)));
    }

    @Test
    void what_was_there_before_the_store_was_opened_is_counted() {
        try (RocksKeyStore store = RocksKeyStore.open(dir, Durability.OS, clock)) {
            for (int i = 0; i < 300; i++) insert(store, "t" + i % 3, i);
        }
        try (RocksKeyStore store = RocksKeyStore.open(dir, Durability.OS, clock)) {
            insert(store, "t1", 1000);
            assertEquals(101, store.count("t1", Long.MAX_VALUE));
            insert(store, "t1", 1001);
            assertEquals(102, store.count("t1", Long.MAX_VALUE));
            assertEquals(100, store.count("t2", Long.MAX_VALUE));
        }
    }

    /** The first count sets out while keys come and go; whatever the order, it must end up with what there is. */
    @Test
    void a_count_that_begins_while_keys_come_and_go_comes_out_right() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 10; round++) {
            try (RocksKeyStore store = RocksKeyStore.open(dir.resolve("round " + round), Durability.OS, clock)) {
                for (int i = 0; i < 2000; i++) free(store, insert(store, "t", i));
                int kept = random.nextInt(500);
                clock.advance(HOUR.plusSeconds(1));
                CompletableFuture<Void> purging = CompletableFuture.runAsync(() -> {
                    while (!store.sweep(50).finished()) {}
                });
                CompletableFuture<Void> inserting = CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < kept; i++) insert(store, "t", 10_000 + i);
                });
                long during = store.count("t", Long.MAX_VALUE);
                CompletableFuture.allOf(purging, inserting).get(60, TimeUnit.SECONDS);
                assertEquals(kept, store.count("t", Long.MAX_VALUE), "began at " + during + "; seed " + seed);
            }
        }
    }

    @Test
    void a_count_that_the_disk_refused_leaves_nothing_open() throws Exception {
        BlockingDisk disk = new BlockingDisk();
        disk.letThrough(1);
        try (RocksKeyStore store = RocksKeyStore.open(dir, Durability.OS, clock, disk, BlockingDisk.LONG_TIMEOUT)) {
            insert(store, "t", 1);
            disk.failFromNowOn();
            assertThrows(StoreException.class, () -> insert(store, "t", 2));
            assertThrows(StoreException.class, () -> store.count("t", 10));
        }
        try (RocksKeyStore store = RocksKeyStore.open(dir, Durability.OS, clock)) {
            assertEquals(1, store.count("t", 10));
        }
    }

    @Test
    void a_flood_of_made_up_tenants_takes_no_memory() {
        TenantCounts counts = new TenantCounts();
        counts.startCounting();
        long before = used();
        for (int i = 0; i < 200_000; i++) counts.written(null, head("h:made-up-tenant-" + i));
        long grown = used() - before;
        counts.written(null, head("h:made-up-tenant-1"));
        assertTrue(grown < 8 << 20, "memory has grown by " + (grown >> 20) + " MiB");
    }

    private static byte[] head(String tenant) {
        KeyState free = new KeyState.Free(Instant.EPOCH);
        Fingerprint any = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1});
        return RecordCodec.encode(new KeyRecord(KeyId.of(tenant, "o", "k"), any, 1, 1, 1, Instant.EPOCH, free));
    }

    private static long used() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
