package dev.semel.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.WaitLimits;
import dev.semel.core.doubt.Doubts;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.Change;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.NewKey;
import dev.semel.core.time.HandTime;
import dev.semel.core.waiting.WaitingRooms;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeldLeasesTest {
    private static final Fingerprint ASKED = Fingerprint.of(Fingerprint.Algorithm.VALUE, new byte[] {1});
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final HandTime time = new HandTime();
    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    /** Takes the word of a holder only when it is let. */
    private final ForwardingKeyStore store = new ForwardingKeyStore(new InMemoryKeyStore(time.clock())) {
        @Override
        public Replaced replace(KeyRecord seen, Change change) {
            writing.countDown();
            await(goOn);
            return super.replace(seen, change);
        }
    };

    private final BlockingQueue<SemelEvent> events = new LinkedBlockingQueue<>();
    private final WaitingRooms rooms =
            new WaitingRooms(store, id -> false, event -> {}, WaitLimits.DEFAULT, Integer.MAX_VALUE, time);
    private final Doubts doubts =
            new Doubts(store, event -> {}, rooms, record -> false, seen -> false, id -> ClaimPolicy.DEFAULT, time);
    private final HolderWrites writes = new HolderWrites(
            store,
            event -> {},
            rooms,
            new PendingWrites(event -> {}),
            doubts,
            Duration.ofSeconds(1),
            Duration.ofMillis(1),
            time);
    private final HeldLeases leases = new HeldLeases(events::add, time);

    @AfterEach
    void close() {
        goOn.countDown();
        leases.close(Set.of());
        doubts.close();
        rooms.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private HeldLease held(String key) {
        KeyRecord record = assertInstanceOf(
                        KeyStore.Inserted.Fresh.class,
                        store.insert(
                                new NewKey(KeyId.of("", "charge", key), ASKED, "holder", ClaimPolicy.DEFAULT.lease())))
                .record();
        HeldLease[] self = new HeldLease[1];
        self[0] = new HeldLease(writes, record, ClaimPolicy.DEFAULT, time, time.read(), () -> leases.remove(self[0]));
        leases.add(self[0]);
        return self[0];
    }

    private CompletableFuture<Void> awaitSettled() {
        long until = time.nanos() + GRACE.toNanos();
        CompletableFuture<Void> over = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            leases.awaitSettled(until);
            over.complete(null);
        });
        return over;
    }

    /** One sleeper renews, one looks after doubts: the next is who waits for the end. */
    private void awaitSleepers(int sleepers) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (time.sleeping() < sleepers && System.nanoTime() - end < 0) Thread.onSpinWait();
        assertEquals(sleepers, time.sleeping());
    }

    @Test
    void the_end_does_not_wait_for_operations_that_still_run() throws Exception {
        held("running");
        awaitSettled().get(30, TimeUnit.SECONDS);
        assertEquals(1, leases.size());
    }

    @Test
    void the_end_waits_until_the_store_has_taken_what_was_said() throws Exception {
        HeldLease lease = held("k");
        held("running");
        Thread.ofVirtual().start(lease::release);
        await(writing);
        CompletableFuture<Void> over = awaitSettled();
        awaitSleepers(3);
        assertFalse(over.isDone());
        goOn.countDown();
        over.get(30, TimeUnit.SECONDS);
        assertEquals(1, leases.size(), "the one that still runs");
    }

    @Test
    void the_end_waits_no_longer_than_the_grace_and_tells_what_is_left() throws Exception {
        HeldLease lease = held("k");
        HeldLease running = held("running");
        HeldLease told = held("told");
        Thread.ofVirtual().start(lease::release);
        await(writing);
        CompletableFuture<Void> over = awaitSettled();
        awaitSleepers(3);
        time.advance(GRACE.minusNanos(1));
        assertFalse(over.isDone());
        time.advance(Duration.ofNanos(1));
        over.get(30, TimeUnit.SECONDS);
        leases.close(Set.of(told.id()));
        assertEquals(
                Set.of(
                        new SemelEvent.LeftBehind(
                                lease.id(),
                                lease.token(),
                                "what became of it",
                                "the store did not take it before the end"),
                        new SemelEvent.LeftBehind(
                                running.id(), running.token(), "what became of it", "its operation was still running")),
                Set.copyOf(events));
    }

    @Test
    void who_is_interrupted_waits_no_more_and_stays_interrupted() throws Exception {
        HeldLease lease = held("k");
        Thread.ofVirtual().start(lease::release);
        await(writing);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread waiting = Thread.ofVirtual().start(() -> {
            leases.awaitSettled(time.nanos() + GRACE.toNanos());
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        waiting.interrupt();
        assertTrue(interrupted.get(30, TimeUnit.SECONDS));
    }

    @Test
    void an_attempt_that_is_over_does_not_take_the_next_one_of_its_key_off_the_list() {
        HeldLease old = held("k");
        HeldLease next = new HeldLease(
                writes,
                Objects.requireNonNull(store.find(old.id())).record(),
                ClaimPolicy.DEFAULT,
                time,
                time.read(),
                () -> {});
        leases.add(next);
        leases.remove(old);
        assertTrue(leases.isHeldHere(old.id()));
        leases.remove(next);
        assertFalse(leases.isHeldHere(old.id()));
    }
}
