package dev.semel.store.rocksdb;

import static dev.semel.store.rocksdb.Sample.id;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk that neither takes a write nor refuses it. */
@Timeout(30)
class HungDiskTest {
    @TempDir
    Path dir;

    private final BlockingDisk disk = new BlockingDisk();
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private RocksKeyStore store;

    @BeforeEach
    void open() {
        store = RocksKeyStore.open(dir, Durability.SYNC, Clock.systemUTC(), disk, Duration.ofMillis(300));
    }

    @AfterEach
    void close() {
        disk.release();
        callers.shutdownNow();
        store.close();
    }

    @Test
    void nobody_waits_for_it_for_ever_and_each_is_told_what_is_known() throws Exception {
        Future<Applied> inFlight = callers.submit(() -> applied("under way"));
        disk.awaitWrite();
        Future<Applied> behind = callers.submit(() -> applied("behind"));
        assertEquals(Applied.UNKNOWN, inFlight.get());
        assertEquals(Applied.NO, behind.get());
        assertEquals(Applied.NO, applied("later"));
        // A reader that had to go to this disk would not come back.
        assertThrows(StoreException.class, () -> store.find(id("under way")));
        disk.release();
        awaitAnswers();
        for (String key : new String[] {"behind", "later"}) assertNull(store.find(id(key)), key);
    }

    /** Its lease may be over by then, and it would count as an operation of which nobody knows whether it ran. */
    @Test
    void a_claim_whose_caller_has_given_up_is_held_by_nobody() throws Exception {
        Future<Applied> claim = callers.submit(() -> applied("given up"));
        disk.awaitWrite();
        assertEquals(Applied.UNKNOWN, claim.get());
        disk.release();
        awaitAnswers();
        assertInstanceOf(Inserted.Fresh.class, store.insert(Sample.claim("given up")));
    }

    @Test
    void an_outcome_whose_caller_has_given_up_is_read_back() throws Exception {
        disk.letThrough(1);
        KeyRecord held = Sample.insert(store, "k");
        disk.awaitWrite();
        Future<Applied> outcome = callers.submit(() -> assertThrows(
                        StoreException.class,
                        () -> store.replace(held, Sample.done(held, Sample.outcome(9, new Random(1)))))
                .applied());
        disk.awaitWrite();
        assertEquals(Applied.UNKNOWN, outcome.get());
        disk.release();
        awaitAnswers();
        assertEquals(KeyState.Kind.DONE, store.find(held.id()).record().state().kind());
    }

    private Applied applied(String key) {
        return assertThrows(StoreException.class, () -> store.insert(Sample.claim(key)))
                .applied();
    }

    private void awaitAnswers() {
        while (true) {
            try {
                store.insert(Sample.claim("answers"));
                return;
            } catch (StoreException e) {
                assertEquals(Applied.NO, e.applied());
                LockSupport.parkNanos(10_000_000);
            }
        }
    }
}
