package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.Change;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.StoreException;
import dev.semel.testkit.FlakyKeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StoreHealthTest {
    private static final String NO_WRITES = "the store does not take writes";

    /** Reads, and refuses every write: a full disk, a standby. */
    private static final class ReadOnly extends ForwardingKeyStore {
        volatile boolean on;

        ReadOnly(KeyStore store) {
            super(store);
        }

        @Override
        public Replaced replace(KeyRecord seen, Change change) {
            if (on) throw StoreException.notApplied("read-only", null);
            return super.replace(seen, change);
        }
    }

    /** Counts writes, and lets none return while it hangs. */
    private static final class Hanging extends ForwardingKeyStore {
        final AtomicInteger writes = new AtomicInteger();
        volatile CountDownLatch goesOn = new CountDownLatch(0);

        Hanging(KeyStore store) {
            super(store);
        }

        @Override
        public Replaced replace(KeyRecord seen, Change change) {
            writes.incrementAndGet();
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return super.replace(seen, change);
        }
    }

    @Test
    void a_store_that_reads_and_does_not_write_is_not_well_until_it_does() {
        ReadOnly store = new ReadOnly(new InMemoryKeyStore());
        try (StoreHealth health = new StoreHealth(store)) {
            store.on = true;
            assertEquals(NO_WRITES, health.flaw());
            store.on = false;
            awaitWell(health);
        }
    }

    @Test
    void however_many_ask_a_store_that_hangs_all_are_answered_in_time_and_it_is_asked_once() throws Exception {
        Hanging store = new Hanging(new InMemoryKeyStore());
        try (StoreHealth health = new StoreHealth(store);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            store.goesOn = new CountDownLatch(1);
            long began = System.nanoTime();
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 100; i++) answers.add(callers.submit(health::flaw));
            for (Future<String> answer : answers) assertEquals(NO_WRITES, answer.get());
            for (int i = 0; i < 100; i++) assertEquals(NO_WRITES, health.flaw());
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            assertTrue(took.compareTo(StoreHealth.TIMEOUT.plusSeconds(1)) < 0, took.toString());
            assertEquals(1, store.writes.get());
            store.goesOn.countDown();
            awaitWell(health);
        }
    }

    @Test
    void a_write_whose_answer_was_lost_is_no_reason_to_stay_unwell() {
        FlakyKeyStore store = new FlakyKeyStore(new InMemoryKeyStore());
        try (StoreHealth health = new StoreHealth(store)) {
            store.failWrites(FlakyKeyStore.Fault.LOST_AFTER);
            assertEquals(NO_WRITES, health.flaw());
            awaitWell(health);
            store.failWrites(FlakyKeyStore.Fault.LOST_AFTER);
            awaitUnwell(health);
            awaitWell(health);
        }
    }

    /** A look counts for a second. */
    private static void awaitWell(StoreHealth health) {
        while (!health.flaw().isEmpty()) LockSupport.parkNanos(10_000_000);
    }

    private static void awaitUnwell(StoreHealth health) {
        while (health.flaw().isEmpty()) LockSupport.parkNanos(10_000_000);
    }
}
