package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import dev.semel.testkit.postgres.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All processes of the server are stopped while many write, and go on later: connections stay, and nobody answers. */
@Timeout(120)
class HungDatabaseTest {
    private static final int CALLERS = 20;

    /** The connection timeout, or the socket timeout and the attempt to cancel; and a loaded machine. */
    private static final Duration BOUND = Duration.ofMillis(5500);

    @Test
    void every_call_ends_in_bounded_time_and_afterwards_all_is_as_it_was_told() throws Exception {
        List<Call> calls = new ArrayList<>();
        try (Folder folder = Folder.inTarget();
                PostgresServer server = PostgresVersion.values()[0].start(folder.path());
                PostgresKeyStore store = PostgresKeyStore.open(server.jdbcUrl());
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            AtomicBoolean stop = new AtomicBoolean();
            CountDownLatch failed = new CountDownLatch(CALLERS);
            List<Future<List<Call>>> working = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                int caller = i;
                working.add(callers.submit(() -> work(store, caller, stop, failed)));
            }
            try {
                while (store.find(Keys.id("0-100")) == null) LockSupport.parkNanos(1_000_000);
                pauseUntil(failed, server);
                awaitAnswers(store);
            } finally {
                stop.set(true);
            }
            for (Future<List<Call>> each : working) calls.addAll(each.get());
            for (Call call : calls) call.check(store);
        }
        Duration longest =
                calls.stream().map(Call::took).max(Duration::compareTo).orElseThrow();
        assertTrue(longest.compareTo(BOUND) < 0, "the longest call took " + longest);
        assertTrue(calls.stream().anyMatch(it -> it.applied == Applied.UNKNOWN), "no write was under way");
        assertTrue(calls.stream().anyMatch(it -> it.applied == Applied.NO), "nobody asked meanwhile");
    }

    private static void pauseUntil(CountDownLatch failed, PostgresServer server) throws InterruptedException {
        server.pause();
        try {
            assertTrue(failed.await(30, TimeUnit.SECONDS), "not everyone was told that the database hangs");
        } finally {
            server.resume();
        }
    }

    /** @param applied null when it was answered */
    private record Call(String key, Applied applied, Duration took) {
        void check(PostgresKeyStore store) {
            boolean there = store.find(Keys.id(key)) != null;
            if (applied == null) assertTrue(there, key);
            if (applied == Applied.NO) assertEquals(false, there, key);
        }
    }

    /** Goes on after a failure as a client would, who pauses first. */
    private static List<Call> work(PostgresKeyStore store, int caller, AtomicBoolean stop, CountDownLatch failed) {
        List<Call> calls = new ArrayList<>();
        int failures = 0;
        for (int i = 0; !stop.get(); i++) {
            calls.add(call(store, caller + "-" + i));
            if (calls.getLast().applied == null) continue;
            if (++failures == 2) failed.countDown();
            LockSupport.parkNanos(50_000_000);
        }
        return calls;
    }

    private static Call call(PostgresKeyStore store, String key) {
        long began = System.nanoTime();
        Applied applied = null;
        try {
            assertTrue(store.insert(Keys.claim(Keys.id(key))) instanceof Inserted.Fresh);
        } catch (StoreException e) {
            applied = e.applied();
        }
        return new Call(key, applied, Duration.ofNanos(System.nanoTime() - began));
    }

    private static void awaitAnswers(PostgresKeyStore store) {
        while (true) {
            try {
                assertNotNull(store.now());
                return;
            } catch (StoreException e) {
                LockSupport.parkNanos(50_000_000);
            }
        }
    }
}
