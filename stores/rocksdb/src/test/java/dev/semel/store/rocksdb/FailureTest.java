package dev.semel.store.rocksdb;

import static dev.semel.store.rocksdb.Sample.id;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState.Kind;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.Listing;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class FailureTest {
    @TempDir
    Path dir;

    @Test
    void after_a_failed_write_the_store_reads_and_writes_again_once_its_disk_does() throws Exception {
        BlockingDisk disk = new BlockingDisk();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
                RocksKeyStore store =
                        RocksKeyStore.open(dir, Durability.SYNC, Clock.systemUTC(), disk, BlockingDisk.LONG_TIMEOUT)) {
            disk.letThrough(1);
            KeyRecord before = Sample.insert(store, "before");
            disk.awaitWrite();

            List<Future<Applied>> failed = new ArrayList<>();
            failed.add(callers.submit(() -> appliedBy(() -> store.insert(Sample.claim("first")))));
            disk.awaitWrite();
            for (int i = 0; i < 10; i++) {
                String key = "queued " + i;
                failed.add(callers.submit(() -> appliedBy(() -> store.insert(Sample.claim(key)))));
            }
            while (store.queued() < 10) Thread.onSpinWait();
            disk.failFromNowOn();

            assertEquals(Applied.UNKNOWN, failed.getFirst().get());
            for (Future<Applied> each : failed.subList(1, failed.size())) assertEquals(Applied.NO, each.get());
            assertEquals(before, store.find(id("before")).record());
            for (Runnable write : List.<Runnable>of(
                    () -> store.insert(Sample.claim("after")),
                    () -> store.replace(before, Sample.done(before, Sample.outcome(1, new Random()))))) {
                StoreException refused = assertThrows(StoreException.class, write::run);
                assertEquals(Applied.NO, refused.applied());
                assertTrue(refused.getMessage().contains("opens itself again"), refused.getMessage());
                assertTrue(refused.getMessage().contains("No space left"), refused.getMessage());
            }
            disk.failNoMore();
            awaitWrites(store);
            // Whether the write that failed is there or not is told by what is on disk.
            assertEquals(before, store.find(id("before")).record());
            for (int i = 0; i < 10; i++) assertNull(store.find(id("queued " + i)));
            Sample.complete(store, before, Sample.outcome(5_000, new Random(1)));
            assertEquals(2 + written(store, "first"), store.count("tenant", 100));
        }
        try (RocksKeyStore store = RocksKeyStore.open(dir, Durability.SYNC)) {
            assertNotNull(store.find(id("before")));
            Sample.insert(store, "after");
        }
    }

    private static int written(RocksKeyStore store, String key) {
        return store.find(id(key)) == null ? 0 : 1;
    }

    private static void awaitWrites(RocksKeyStore store) {
        while (true) {
            try {
                Sample.insert(store, "written again");
                return;
            } catch (StoreException e) {
                assertEquals(Applied.NO, e.applied());
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    private static Applied appliedBy(Runnable write) {
        return assertThrows(StoreException.class, write::run).applied();
    }

    @Test
    void a_closed_store_says_so() {
        RocksKeyStore store = RocksKeyStore.open(dir, Durability.OS);
        KeyRecord record = Sample.insert(store, "k");
        store.close();
        store.close();
        for (Runnable call : List.<Runnable>of(
                () -> store.insert(Sample.claim("k")),
                () -> store.replace(record, Sample.done(record, Sample.outcome(1, new Random()))),
                () -> store.find(id("k")),
                () -> store.findAll(List.of(id("k"))),
                () -> store.list(new Listing(null, EnumSet.allOf(Kind.class), 10, null)),
                () -> store.sweep(10))) {
            StoreException refused = assertThrows(StoreException.class, call::run);
            assertEquals(Applied.NO, refused.applied());
            assertTrue(refused.getMessage().contains("is closed"), refused.getMessage());
        }
    }

    /** A key that cannot be read is not a new key: taking it for one would run its operation twice. */
    @Test
    void a_key_on_a_damaged_page_is_never_granted_again() throws Exception {
        int keys = 2_000;
        try (RocksKeyStore store = RocksKeyStore.open(dir, Durability.OS)) {
            for (int i = 0; i < keys; i++) Sample.insert(store, "key " + i);
            store.compact();
        }
        damageTables();
        int unreadable = 0;
        try (RocksKeyStore store = RocksKeyStore.open(dir, Durability.OS)) {
            for (int i = 0; i < keys; i++) {
                String key = "key " + i;
                try {
                    if (store.insert(Sample.claim(key)) instanceof Inserted.Fresh)
                        throw new AssertionError("granted twice: " + key);
                } catch (StoreException e) {
                    assertEquals(Applied.NO, e.applied());
                    assertThrows(StoreException.class, () -> store.findAll(List.of(id("other"), id(key))));
                    unreadable++;
                }
            }
            assertThrows(StoreException.class, () -> store.sweep(keys));
            Sample.insert(store, "new");
        }
        assertTrue(unreadable > 0);
    }

    private void damageTables() throws IOException {
        try (Stream<Path> files = Files.list(dir)) {
            for (Path table : files.filter(it -> it.toString().endsWith(".sst")).toList()) {
                try (RandomAccessFile file = new RandomAccessFile(table.toFile(), "rw")) {
                    byte[] noise = new byte[(int) (file.length() / 2)];
                    new Random(1).nextBytes(noise);
                    file.write(noise);
                }
            }
        }
    }
}
