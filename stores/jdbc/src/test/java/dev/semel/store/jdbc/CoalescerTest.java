package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Who travels with whom, and what each is told. The trips are made here, one at a time, when the test says so. */
class CoalescerTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private record Wish(String name, long bytes) implements Coalescer.Wish {
        @Override
        public KeyId id() {
            return KeyId.of("", "op", name.substring(0, name.indexOf('/')));
        }
    }

    private final ConcurrentLinkedQueue<List<String>> trips = new ConcurrentLinkedQueue<>();
    private final Semaphore departures = new Semaphore(0);
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void end() {
        departures.release(1_000_000);
        callers.close();
    }

    @Test
    void who_comes_while_all_lanes_are_out_travels_together() throws Exception {
        Coalescer<Wish, String> together = coalescer(1, LONG);
        Future<String> first = ask(together, "a/1", 0);
        awaitTrips(1);
        List<Future<String>> others = new ArrayList<>();
        for (int i = 0; i < 20; i++) others.add(ask(together, "k" + i + "/1", 0));
        awaitWaiting(together, 20);
        departures.release(2);
        assertEquals("done a/1", first.get());
        for (int i = 0; i < 20; i++)
            assertEquals("done k" + i + "/1", others.get(i).get());
        assertEquals(List.of(1, 20), trips.stream().map(List::size).toList());
    }

    @Test
    void nobody_waits_for_company() throws Exception {
        Coalescer<Wish, String> together = coalescer(2, LONG);
        departures.release(3);
        for (String name : List.of("a/1", "b/1", "c/1"))
            assertEquals("done " + name, ask(together, name, 0).get());
        assertEquals(3, trips.size());
    }

    @Test
    void a_trip_that_is_late_is_overtaken_by_as_many_as_there_are_lanes() throws Exception {
        Coalescer<Wish, String> together = coalescer(3, LONG);
        Future<String> late = ask(together, "a/1", 0);
        awaitTrips(1);
        Future<String> one = ask(together, "b/1", 0);
        awaitTrips(2);
        Future<String> two = ask(together, "c/1", 0);
        awaitTrips(3);
        Future<String> waits = ask(together, "d/1", 0);
        awaitWaiting(together, 1);
        departures.release(4);
        for (Future<String> each : List.of(late, one, two, waits)) each.get();
        assertEquals(4, trips.size());
        departures.release(1);
        assertEquals("done e/1", ask(together, "e/1", 0).get());
    }

    @Test
    void two_wishes_for_a_key_never_share_a_trip_and_keys_are_in_order() throws Exception {
        Coalescer<Wish, String> together = coalescer(1, LONG);
        ask(together, "x/0", 0);
        awaitTrips(1);
        List<Future<String>> asked = new ArrayList<>();
        for (String name : List.of("a/1", "b/1", "a/2", "c/1", "a/3", "b/2")) asked.add(ask(together, name, 0));
        awaitWaiting(together, 6);
        departures.release(10);
        for (Future<String> each : asked) each.get();
        assertEquals(List.of(1, 3, 2, 1), trips.stream().map(List::size).toList());
        for (List<String> trip : trips) {
            List<byte[]> ids =
                    trip.stream().map(name -> new Wish(name, 0).id().digest()).toList();
            for (int i = 1; i < ids.size(); i++)
                assertTrue(Arrays.compareUnsigned(ids.get(i - 1), ids.get(i)) < 0, trips.toString());
        }
    }

    @Test
    void large_wishes_travel_in_small_company() throws Exception {
        Coalescer<Wish, String> together = coalescer(1, LONG);
        ask(together, "x/0", 0);
        awaitTrips(1);
        List<Future<String>> asked = new ArrayList<>();
        for (int i = 0; i < 6; i++) asked.add(ask(together, "k" + i + "/1", 512 * 1024));
        awaitWaiting(together, 6);
        departures.release(10);
        for (Future<String> each : asked) each.get();
        assertEquals(List.of(1, 2, 2, 2), trips.stream().map(List::size).toList());
    }

    @Test
    void when_the_server_refuses_a_trip_each_goes_alone_and_only_the_guilty_fails() throws Exception {
        Coalescer<Wish, String> together = coalescer(1, LONG);
        ask(together, "x/0", 0);
        awaitTrips(1);
        Future<String> good = ask(together, "good/1", 0);
        Future<String> refused = ask(together, "refused/1", 0);
        awaitWaiting(together, 2);
        departures.release(10);
        assertEquals("done good/1", good.get());
        assertEquals(Applied.NO, failure(refused).applied());
        assertEquals(4, trips.size(), trips.toString());
    }

    @Test
    void when_an_answer_is_lost_nobody_knows_and_nobody_asks_again() throws Exception {
        Coalescer<Wish, String> together = coalescer(1, LONG);
        ask(together, "x/0", 0);
        awaitTrips(1);
        Future<String> one = ask(together, "one/1", 0);
        Future<String> lost = ask(together, "lost/1", 0);
        awaitWaiting(together, 2);
        departures.release(10);
        assertEquals(Applied.UNKNOWN, failure(one).applied());
        assertEquals(Applied.UNKNOWN, failure(lost).applied());
        assertEquals(2, trips.size(), trips.toString());
        // What goes wrong in one's own code leaves the lane open, too.
        assertEquals(Applied.UNKNOWN, failure(ask(together, "error/1", 0)).applied());
        assertEquals("done y/1", ask(together, "y/1", 0).get());
    }

    @Test
    void without_a_connection_nobody_tries_again_alone() throws Exception {
        Coalescer<Wish, String> together = coalescer(1, LONG);
        ask(together, "x/0", 0);
        awaitTrips(1);
        Future<String> one = ask(together, "one/1", 0);
        Future<String> away = ask(together, "away/1", 0);
        awaitWaiting(together, 2);
        departures.release(10);
        assertEquals(Applied.NO, failure(one).applied());
        assertEquals(Applied.NO, failure(away).applied());
        assertEquals(2, trips.size(), trips.toString());
    }

    @Test
    void who_waited_in_vain_has_sent_nothing() throws Exception {
        Coalescer<Wish, String> together = coalescer(1, Duration.ofMillis(50));
        Future<String> first = ask(together, "a/1", 0);
        awaitTrips(1);
        assertEquals(Applied.NO, failure(ask(together, "b/1", 0)).applied());
        departures.release(1);
        assertEquals("done a/1", first.get());
        assertEquals(List.of(List.of("a/1")), List.copyOf(trips));
    }

    @Test
    void an_interrupted_caller_still_learns_its_answer() throws Exception {
        Coalescer<Wish, String> together = coalescer(1, LONG);
        ask(together, "x/0", 0);
        awaitTrips(1);
        List<Object> seen = new ArrayList<>();
        Thread caller = Thread.ofVirtual().start(() -> {
            seen.add(together.ask(new Wish("a/1", 0)));
            seen.add(Thread.currentThread().isInterrupted());
        });
        awaitWaiting(together, 1);
        caller.interrupt();
        departures.release(10);
        caller.join();
        assertEquals(List.of("done a/1", true), seen);
    }

    /** Many callers, few lanes, little patience, and trips that go wrong by chance: all are answered, once. */
    @Test
    void by_chance() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("CoalescerTest seed " + seed);
        Random random = new Random(seed);
        AtomicInteger under = new AtomicInteger();
        ConcurrentLinkedQueue<String> made = new ConcurrentLinkedQueue<>();
        Coalescer<Wish, String> together = new Coalescer<>(
                wishes -> {
                    assertTrue(under.incrementAndGet() <= 3);
                    try {
                        HashSet<KeyId> keys = new HashSet<>();
                        for (Wish wish : wishes) assertTrue(keys.add(wish.id()));
                        for (Wish wish : wishes) made.add(wish.name());
                        return wishes.stream().map(Wish::name).toList();
                    } finally {
                        under.decrementAndGet();
                    }
                },
                3,
                Duration.ofMillis(1 + random.nextInt(20)));
        int each = 2_000;
        List<Future<Integer>> counts = new ArrayList<>();
        for (int caller = 0; caller < 64; caller++) {
            int me = caller;
            counts.add(callers.submit(() -> {
                int refused = 0;
                for (int i = 0; i < each; i++) {
                    String name = "k" + (i + me) % 7 + "/" + me + "-" + i;
                    try {
                        assertEquals(name, together.ask(new Wish(name, 0)));
                    } catch (StoreException e) {
                        assertEquals(Applied.NO, e.applied());
                        refused++;
                    }
                }
                return refused;
            }));
        }
        int refused = 0;
        for (Future<Integer> count : counts) refused += count.get();
        assertEquals(64 * each - refused, made.size(), "seed " + seed);
        assertEquals(made.size(), new HashSet<>(made).size(), "seed " + seed);
    }

    private Coalescer<Wish, String> coalescer(int lanes, Duration patience) {
        return new Coalescer<>(this::make, lanes, patience);
    }

    private List<String> make(List<Wish> wishes) {
        List<String> names = wishes.stream().map(Wish::name).toList();
        trips.add(names);
        departures.acquireUninterruptibly();
        for (String name : names) {
            if (name.startsWith("refused")) throw PostgresFailures.ofWrite(said("SERROR\0VERROR\0C22021\0Mno\0"));
            if (name.startsWith("lost")) throw PostgresFailures.ofWrite(said("SFATAL\0VFATAL\0C57P01\0Mbye\0"));
            if (name.startsWith("away")) throw StoreException.notApplied("No connection to the database", null);
            if (name.startsWith("error")) throw new IllegalStateException("a mistake");
        }
        return names.stream().map(name -> "done " + name).toList();
    }

    private static PSQLException said(String message) {
        return new PSQLException(new ServerErrorMessage(message));
    }

    private Future<String> ask(Coalescer<Wish, String> together, String name, long bytes) {
        return callers.submit(() -> together.ask(new Wish(name, bytes)));
    }

    private void awaitTrips(int count) {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (trips.size() < count) {
            if (System.nanoTime() - deadline > 0) throw new AssertionError("Only " + trips);
            Thread.onSpinWait();
        }
    }

    private static void awaitWaiting(Coalescer<?, ?> together, int count) {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (together.waiting() < count) {
            if (System.nanoTime() - deadline > 0) throw new AssertionError("Only " + together.waiting());
            Thread.onSpinWait();
        }
    }

    private static StoreException failure(Future<String> asked) {
        ExecutionException thrown = assertThrows(ExecutionException.class, asked::get);
        return assertInstanceOf(StoreException.class, thrown.getCause());
    }
}
