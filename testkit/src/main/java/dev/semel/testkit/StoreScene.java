package dev.semel.testkit;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A store under test, and what its contracts do with it. */
public abstract class StoreScene {
    protected static final Duration LEASE = Duration.ofSeconds(30);
    protected static final Duration RETENTION = Duration.ofHours(24);
    protected static final Duration TOMBSTONE = Duration.ofDays(30);

    protected final String tenant = "t-" + UUID.randomUUID();

    /** The store under test. */
    protected abstract KeyStore store();

    /** Lets so much time pass on the store's own clock, for every record in it. */
    protected abstract void pass(Duration time);

    protected final KeyId key(String name) {
        return KeyId.of(tenant, "POST /v1/charges", name);
    }

    protected static Fingerprint fingerprint(String of) {
        byte[] digest = new byte[32];
        byte[] bytes = of.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, digest, 0, Math.min(bytes.length, digest.length));
        return Fingerprint.of(Fingerprint.Algorithm.REQUEST, digest);
    }

    protected final NewKey newKey(String name) {
        return new NewKey(key(name), fingerprint("a"), "holder-" + UUID.randomUUID(), LEASE);
    }

    protected final KeyRecord held(String name) {
        return assertInstanceOf(Inserted.Fresh.class, store().insert(newKey(name)))
                .record();
    }

    protected final KeyRecord become(KeyRecord seen, Next next) {
        return assertInstanceOf(Replaced.Swapped.class, store().replace(seen, Change.of(seen, next)))
                .record();
    }

    protected static Next.Done doneWith(String body) {
        return new Next.Done(Outcome.of(body.getBytes(StandardCharsets.UTF_8)), RETENTION, TOMBSTONE);
    }

    protected final KeyRecord found(KeyId id) {
        return Objects.requireNonNull(store().find(id), "no record of " + id).record();
    }

    /** Whole passes, so that a sweep cursor left in the middle by another test does not matter. */
    protected final void sweepAll() {
        for (int pass = 0; pass < 2; pass++) {
            while (!index().sweep(100).finished()) {}
        }
    }

    /** The index of a store that must have one. */
    protected final KeyIndex index() {
        return Objects.requireNonNull(store().index(), "this store has no index");
    }

    static <T> T present(@Nullable T value) {
        assertNotNull(value);
        return Objects.requireNonNull(value);
    }

    /** Runs so many calls at the same moment, and returns their answers in order. */
    public static <T> List<T> together(int count, Call<T> call) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch start = new CountDownLatch(1);
            List<Callable<T>> calls = IntStream.range(0, count)
                    .mapToObj(i -> (Callable<T>) () -> {
                        start.await();
                        return call.run(i);
                    })
                    .toList();
            List<Future<T>> futures = calls.stream().map(threads::submit).toList();
            start.countDown();
            List<T> answers = new ArrayList<>();
            for (Future<T> future : futures) answers.add(future.get());
            return answers;
        }
    }

    /** One of many calls made together. */
    public interface Call<T> {
        T run(int index) throws Exception;
    }
}
