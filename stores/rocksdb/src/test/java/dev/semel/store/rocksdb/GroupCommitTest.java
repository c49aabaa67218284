package dev.semel.store.rocksdb;

import static dev.semel.store.rocksdb.Sample.id;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class GroupCommitTest {
    @TempDir
    Path dir;

    private final BlockingDisk disk = new BlockingDisk();
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private RocksKeyStore store;

    @BeforeEach
    void open() {
        store = RocksKeyStore.open(dir, Durability.SYNC, Clock.systemUTC(), disk, BlockingDisk.LONG_TIMEOUT);
    }

    @AfterEach
    void close() {
        disk.release();
        callers.shutdownNow();
        store.close();
    }

    @Test
    void what_queues_up_behind_a_busy_disk_shares_the_next_sync() throws Exception {
        List<Future<Inserted>> inserts = new ArrayList<>();
        inserts.add(callers.submit(() -> store.insert(Sample.claim("first"))));
        disk.awaitWrite();
        for (int i = 0; i < 500; i++) {
            String key = "key " + i;
            inserts.add(callers.submit(() -> store.insert(Sample.claim(key))));
        }
        awaitQueued(500);
        disk.letThrough(2);
        for (Future<Inserted> insert : inserts) assertInstanceOf(Inserted.Fresh.class, insert.get());
        assertEquals(new CommitCount(2, 501), store.commits());
    }

    @Test
    void writes_of_one_key_in_one_commit_see_each_other() throws Exception {
        Future<Inserted> first = callers.submit(() -> store.insert(Sample.claim("first")));
        disk.awaitWrite();
        List<Future<Inserted>> same = new ArrayList<>();
        for (int i = 0; i < 20; i++) same.add(callers.submit(() -> store.insert(Sample.claim("same"))));
        awaitQueued(20);
        disk.letThrough(1);
        KeyRecord record = ((Inserted.Fresh) first.get()).record();
        disk.awaitWrite();
        List<Future<Replaced>> completions = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Outcome outcome = Sample.outcome(6_000, new Random(i));
            completions.add(callers.submit(() -> store.replace(record, Sample.done(record, outcome))));
        }
        awaitQueued(20);
        disk.letThrough(2);
        assertEquals(1, count(same, Inserted.Fresh.class));
        assertEquals(1, count(completions, Replaced.Swapped.class));
        assertEquals(new CommitCount(3, 41), store.commits());
        for (Future<Replaced> completion : completions) {
            KeyRecord now = completion.get() instanceof Replaced.Moved(var current)
                    ? current.record()
                    : ((Replaced.Swapped) completion.get()).record();
            assertEquals(now, store.find(id("first")).record());
        }
    }

    @Test
    void nobody_sees_a_write_before_it_is_durable() throws Exception {
        Future<Inserted> insert = callers.submit(() -> store.insert(Sample.claim("k")));
        disk.awaitWrite();
        assertNull(store.find(id("k")));
        assertFalse(insert.isDone());
        disk.letThrough(1);
        insert.get();
        assertNotNull(store.find(id("k")));
    }

    @Test
    void large_bodies_do_not_all_go_into_one_commit() throws Exception {
        List<Callable<KeyRecord>> work = new ArrayList<>();
        disk.letThrough(20);
        for (int i = 0; i < 20; i++) {
            KeyRecord held = Sample.insert(store, "key " + i);
            Outcome outcome = Sample.outcome(4 * 1024 * 1024, new Random(i));
            work.add(() -> Sample.complete(store, held, outcome));
        }
        for (int i = 0; i < 20; i++) disk.awaitWrite();
        Future<Inserted> first = callers.submit(() -> store.insert(Sample.claim("first")));
        disk.awaitWrite();
        List<Future<KeyRecord>> completions = new ArrayList<>();
        for (Callable<KeyRecord> each : work) completions.add(callers.submit(each));
        awaitQueued(20);
        disk.release();
        first.get();
        for (Future<KeyRecord> completion : completions) completion.get();
        assertEquals(21 + 5, store.commits().commits(), "four bodies of four mebibytes a commit");
    }

    @Test
    void an_interrupt_neither_loses_the_write_nor_itself() throws Exception {
        Thread[] caller = new Thread[1];
        Future<Boolean> insert = callers.submit(() -> {
            caller[0] = Thread.currentThread();
            assertInstanceOf(Inserted.Fresh.class, store.insert(Sample.claim("k")));
            return Thread.interrupted();
        });
        disk.awaitWrite();
        caller[0].interrupt();
        assertFalse(insert.isDone());
        disk.letThrough(1);
        assertTrue(insert.get());
        assertNotNull(store.find(id("k")));
    }

    @Test
    void closing_finishes_what_is_queued() throws Exception {
        List<Future<Inserted>> inserts = new ArrayList<>();
        inserts.add(callers.submit(() -> store.insert(Sample.claim("first"))));
        disk.awaitWrite();
        for (int i = 0; i < 50; i++) {
            String key = "key " + i;
            inserts.add(callers.submit(() -> store.insert(Sample.claim(key))));
        }
        awaitQueued(50);
        Future<?> closing = callers.submit(() -> store.close());
        disk.release();
        for (Future<Inserted> insert : inserts) assertInstanceOf(Inserted.Fresh.class, insert.get());
        closing.get();
        try (RocksKeyStore again = RocksKeyStore.open(dir, Durability.SYNC)) {
            for (int i = 0; i < 50; i++) assertNotNull(again.find(id("key " + i)));
        }
    }

    private void awaitQueued(int writes) {
        while (store.queued() < writes) Thread.onSpinWait();
    }

    private static long count(List<? extends Future<?>> answers, Class<?> type) throws Exception {
        long count = 0;
        for (Future<?> answer : answers) if (type.isInstance(answer.get())) count++;
        return count;
    }
}
