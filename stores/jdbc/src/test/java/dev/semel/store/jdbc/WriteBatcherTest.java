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

/** Which writes share a batch, and what each caller gets. The test writes the batches, one at a time, when it chooses. */
class WriteBatcherTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private record NamedWrite(String name, long bytes) implements WriteBatcher.Write {
        @Override
        public KeyId id() {
            return KeyId.of("", "op", name.substring(0, name.indexOf('/')));
        }
    }

    private final ConcurrentLinkedQueue<List<String>> batches = new ConcurrentLinkedQueue<>();
    private final Semaphore permits = new Semaphore(0);
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void end() {
        permits.release(1_000_000);
        callers.close();
    }

    @Test
    void writes_that_queue_behind_a_batch_share_the_next_one() throws Exception {
        WriteBatcher<NamedWrite, String> batcher = batcher(1, LONG);
        Future<String> first = submit(batcher, "a/1", 0);
        awaitBatches(1);
        List<Future<String>> others = new ArrayList<>();
        for (int i = 0; i < 20; i++) others.add(submit(batcher, "k" + i + "/1", 0));
        awaitQueued(batcher, 20);
        permits.release(2);
        assertEquals("done a/1", first.get());
        for (int i = 0; i < 20; i++)
            assertEquals("done k" + i + "/1", others.get(i).get());
        assertEquals(List.of(1, 20), batches.stream().map(List::size).toList());
    }

    @Test
    void nobody_waits_for_a_batch_to_fill() throws Exception {
        WriteBatcher<NamedWrite, String> batcher = batcher(2, LONG);
        permits.release(3);
        for (String name : List.of("a/1", "b/1", "c/1"))
            assertEquals("done " + name, submit(batcher, name, 0).get());
        assertEquals(3, batches.size());
    }

    @Test
    void beside_a_slow_batch_others_run_up_to_the_limit() throws Exception {
        WriteBatcher<NamedWrite, String> batcher = batcher(3, LONG);
        Future<String> late = submit(batcher, "a/1", 0);
        awaitBatches(1);
        Future<String> one = submit(batcher, "b/1", 0);
        awaitBatches(2);
        Future<String> two = submit(batcher, "c/1", 0);
        awaitBatches(3);
        Future<String> waits = submit(batcher, "d/1", 0);
        awaitQueued(batcher, 1);
        permits.release(4);
        for (Future<String> each : List.of(late, one, two, waits)) each.get();
        assertEquals(4, batches.size());
        permits.release(1);
        assertEquals("done e/1", submit(batcher, "e/1", 0).get());
    }

    @Test
    void two_writes_of_a_key_never_share_a_batch_and_keys_are_in_order() throws Exception {
        WriteBatcher<NamedWrite, String> batcher = batcher(1, LONG);
        submit(batcher, "x/0", 0);
        awaitBatches(1);
        List<Future<String>> results = new ArrayList<>();
        for (String name : List.of("a/1", "b/1", "a/2", "c/1", "a/3", "b/2")) results.add(submit(batcher, name, 0));
        awaitQueued(batcher, 6);
        permits.release(10);
        for (Future<String> each : results) each.get();
        assertEquals(List.of(1, 3, 2, 1), batches.stream().map(List::size).toList());
        for (List<String> batch : batches) {
            List<byte[]> ids = batch.stream()
                    .map(name -> new NamedWrite(name, 0).id().digest())
                    .toList();
            for (int i = 1; i < ids.size(); i++)
                assertTrue(Arrays.compareUnsigned(ids.get(i - 1), ids.get(i)) < 0, batches.toString());
        }
    }

    @Test
    void large_writes_make_small_batches() throws Exception {
        WriteBatcher<NamedWrite, String> batcher = batcher(1, LONG);
        submit(batcher, "x/0", 0);
        awaitBatches(1);
        List<Future<String>> results = new ArrayList<>();
        for (int i = 0; i < 6; i++) results.add(submit(batcher, "k" + i + "/1", 512 * 1024));
        awaitQueued(batcher, 6);
        permits.release(10);
        for (Future<String> each : results) each.get();
        assertEquals(List.of(1, 2, 2, 2), batches.stream().map(List::size).toList());
    }

    @Test
    void when_the_server_refuses_a_batch_each_is_written_singly_and_only_the_bad_one_fails() throws Exception {
        WriteBatcher<NamedWrite, String> batcher = batcher(1, LONG);
        submit(batcher, "x/0", 0);
        awaitBatches(1);
        Future<String> good = submit(batcher, "good/1", 0);
        Future<String> refused = submit(batcher, "refused/1", 0);
        awaitQueued(batcher, 2);
        permits.release(10);
        assertEquals("done good/1", good.get());
        assertEquals(Applied.NO, failure(refused).applied());
        assertEquals(4, batches.size(), batches.toString());
    }

    @Test
    void when_the_answer_is_lost_all_are_unknown_and_nothing_is_sent_again() throws Exception {
        WriteBatcher<NamedWrite, String> batcher = batcher(1, LONG);
        submit(batcher, "x/0", 0);
        awaitBatches(1);
        Future<String> one = submit(batcher, "one/1", 0);
        Future<String> lost = submit(batcher, "lost/1", 0);
        awaitQueued(batcher, 2);
        permits.release(10);
        assertEquals(Applied.UNKNOWN, failure(one).applied());
        assertEquals(Applied.UNKNOWN, failure(lost).applied());
        assertEquals(2, batches.size(), batches.toString());
        // A bug in the writer does not block later batches either.
        assertEquals(Applied.UNKNOWN, failure(submit(batcher, "error/1", 0)).applied());
        assertEquals("done y/1", submit(batcher, "y/1", 0).get());
    }

    @Test
    void without_a_connection_nothing_is_written_singly() throws Exception {
        WriteBatcher<NamedWrite, String> batcher = batcher(1, LONG);
        submit(batcher, "x/0", 0);
        awaitBatches(1);
        Future<String> one = submit(batcher, "one/1", 0);
        Future<String> away = submit(batcher, "away/1", 0);
        awaitQueued(batcher, 2);
        permits.release(10);
        assertEquals(Applied.NO, failure(one).applied());
        assertEquals(Applied.NO, failure(away).applied());
        assertEquals(2, batches.size(), batches.toString());
    }

    @Test
    void a_write_that_times_out_in_the_queue_was_not_sent() throws Exception {
        WriteBatcher<NamedWrite, String> batcher = batcher(1, Duration.ofMillis(50));
        Future<String> first = submit(batcher, "a/1", 0);
        awaitBatches(1);
        assertEquals(Applied.NO, failure(submit(batcher, "b/1", 0)).applied());
        permits.release(1);
        assertEquals("done a/1", first.get());
        assertEquals(List.of(List.of("a/1")), List.copyOf(batches));
    }

    @Test
    void an_interrupted_caller_still_gets_its_result() throws Exception {
        WriteBatcher<NamedWrite, String> batcher = batcher(1, LONG);
        submit(batcher, "x/0", 0);
        awaitBatches(1);
        List<Object> seen = new ArrayList<>();
        Thread caller = Thread.ofVirtual().start(() -> {
            seen.add(batcher.submit(new NamedWrite("a/1", 0)));
            seen.add(Thread.currentThread().isInterrupted());
        });
        awaitQueued(batcher, 1);
        caller.interrupt();
        permits.release(10);
        caller.join();
        assertEquals(List.of("done a/1", true), seen);
    }

    /** Many callers, few batches at once and a short queue timeout: each write is either done once or refused. */
    @Test
    void at_random() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("WriteBatcherTest seed " + seed);
        Random random = new Random(seed);
        AtomicInteger inFlight = new AtomicInteger();
        ConcurrentLinkedQueue<String> written = new ConcurrentLinkedQueue<>();
        WriteBatcher<NamedWrite, String> batcher = new WriteBatcher<>(
                batch -> {
                    assertTrue(inFlight.incrementAndGet() <= 3);
                    try {
                        HashSet<KeyId> keys = new HashSet<>();
                        for (NamedWrite write : batch) assertTrue(keys.add(write.id()));
                        for (NamedWrite write : batch) written.add(write.name());
                        return batch.stream().map(NamedWrite::name).toList();
                    } finally {
                        inFlight.decrementAndGet();
                    }
                },
                WriteBatcher.MAX_WRITES,
                3,
                Duration.ofMillis(1 + random.nextInt(20)),
                PostgresFailures.INSTANCE::wasRefused);
        int each = 2_000;
        List<Future<Integer>> counts = new ArrayList<>();
        for (int caller = 0; caller < 64; caller++) {
            int me = caller;
            counts.add(callers.submit(() -> {
                int refused = 0;
                for (int i = 0; i < each; i++) {
                    String name = "k" + (i + me) % 7 + "/" + me + "-" + i;
                    try {
                        assertEquals(name, batcher.submit(new NamedWrite(name, 0)));
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
        assertEquals(64 * each - refused, written.size(), "seed " + seed);
        assertEquals(written.size(), new HashSet<>(written).size(), "seed " + seed);
    }

    private WriteBatcher<NamedWrite, String> batcher(int maxConcurrentBatches, Duration queueTimeout) {
        return new WriteBatcher<>(
                this::write,
                WriteBatcher.MAX_WRITES,
                maxConcurrentBatches,
                queueTimeout,
                PostgresFailures.INSTANCE::wasRefused);
    }

    private List<String> write(List<NamedWrite> batch) {
        List<String> names = batch.stream().map(NamedWrite::name).toList();
        batches.add(names);
        permits.acquireUninterruptibly();
        for (String name : names) {
            if (name.startsWith("refused"))
                throw PostgresFailures.INSTANCE.ofWrite(said("SERROR\0VERROR\0C22021\0Mno\0"));
            if (name.startsWith("lost"))
                throw PostgresFailures.INSTANCE.ofWrite(said("SFATAL\0VFATAL\0C57P01\0Mbye\0"));
            if (name.startsWith("away")) throw StoreException.notApplied("No connection to the database", null);
            if (name.startsWith("error")) throw new IllegalStateException("a mistake");
        }
        return names.stream().map(name -> "done " + name).toList();
    }

    private static PSQLException said(String message) {
        return new PSQLException(new ServerErrorMessage(message));
    }

    private Future<String> submit(WriteBatcher<NamedWrite, String> batcher, String name, long bytes) {
        return callers.submit(() -> batcher.submit(new NamedWrite(name, bytes)));
    }

    private void awaitBatches(int count) {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (batches.size() < count) {
            if (System.nanoTime() - deadline > 0) throw new AssertionError("Only " + batches);
            Thread.onSpinWait();
        }
    }

    private static void awaitQueued(WriteBatcher<?, ?> batcher, int count) {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (batcher.queued() < count) {
            if (System.nanoTime() - deadline > 0) throw new AssertionError("Only " + batcher.queued());
            Thread.onSpinWait();
        }
    }

    private static StoreException failure(Future<String> results) {
        ExecutionException thrown = assertThrows(ExecutionException.class, results::get);
        return assertInstanceOf(StoreException.class, thrown.getCause());
    }
}
