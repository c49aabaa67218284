package dev.semel.bench.storage;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Writes keys as a gateway does: a UUID as key, the operation {@code POST /v1/charges}, no tenant, a SHA-256 as fingerprint. Outcomes
 * are bytes that do not compress, as encrypted ones do not.
 */
final class WrittenKeys {
    private static final int CALLERS = 32;
    private static final Duration LEASE = Duration.ofHours(1);
    private static final Duration TOMBSTONE = Duration.ofDays(30);
    private static final int SWEEP = 1000;

    private final KeyStore store;
    private final int count;

    WrittenKeys(KeyStore store, int count) {
        this.store = store;
        this.count = count;
    }

    void claim() throws Exception {
        each(random -> claimed(random));
    }

    /** Each is finished right after its claim, as most are. */
    void finish(int body, Duration retention) throws Exception {
        each(random -> {
            byte[] outcome = new byte[body];
            random.nextBytes(outcome);
            KeyRecord held = claimed(random);
            Next.Done done = new Next.Done(Outcome.of(outcome), retention, TOMBSTONE);
            if (!(store.replace(held, Change.of(held, done)) instanceof Replaced.Swapped))
                throw new IllegalStateException("Somebody else wrote " + held.id());
        });
    }

    /** Sweeps until every outcome past its retention is gone; the server may take some of them away itself. */
    void strip(Duration atMost) throws InterruptedException {
        KeyIndex index = store.index();
        if (index == null) return;
        long end = System.nanoTime() + atMost.toNanos();
        for (int quiet = 0; quiet < 2; ) {
            long stripped = 0;
            for (boolean finished = false; !finished; ) {
                KeyIndex.Swept step = index.sweep(SWEEP);
                stripped += step.stripped();
                finished = step.finished();
            }
            quiet = stripped == 0 ? quiet + 1 : 0;
            if (System.nanoTime() > end) throw new IllegalStateException("The sweep goes on and on.");
        }
    }

    private KeyRecord claimed(Random random) {
        byte[] digest = new byte[32];
        random.nextBytes(digest);
        NewKey key = new NewKey(
                KeyId.of("", "POST /v1/charges", UUID.randomUUID().toString()),
                Fingerprint.of(Fingerprint.Algorithm.REQUEST, digest),
                UUID.randomUUID().toString(),
                LEASE);
        if (store.insert(key) instanceof Inserted.Fresh fresh) return fresh.record();
        throw new IllegalStateException("The key was there already: " + key.id());
    }

    private interface Write {
        void with(Random random) throws Exception;
    }

    private void each(Write write) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(CALLERS)) {
            List<Future<?>> callers = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                int first = caller;
                callers.add(threads.submit(() -> {
                    Random random = new Random(first);
                    for (int i = first; i < count; i += CALLERS) write.with(random);
                    return null;
                }));
            }
            for (Future<?> caller : callers) caller.get();
        }
    }
}
