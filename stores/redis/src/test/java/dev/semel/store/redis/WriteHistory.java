package dev.semel.store.redis;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Callers that claim and complete keys of their own without pause, and what each was told. Afterwards the store must agree:
 * what was acknowledged is there, what was refused is not, and only where the answer was lost may it be either.
 */
final class WriteHistory implements AutoCloseable {
    /** Which states may be found under a key. */
    private final Map<KeyId, List<String>> allowed = new HashMap<>();

    private final Map<String, Integer> failures = new HashMap<>();
    private int acknowledged;
    private int refused;
    private int lost;
    private Duration longest = Duration.ZERO;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> callers = new ArrayList<>();
    private volatile boolean running = true;

    static WriteHistory of(KeyStore store, int callers) {
        WriteHistory history = new WriteHistory();
        String run = UUID.randomUUID() + " ";
        for (int i = 0; i < callers; i++) {
            String caller = run + "caller " + i + " key ";
            history.callers.add(history.threads.submit(() -> history.write(store, caller)));
        }
        return history;
    }

    private void write(KeyStore store, String caller) {
        for (int i = 0; running; i++) {
            KeyId id = Keys.id(caller + i);
            String before = "nothing";
            String after = "HELD";
            long began = System.nanoTime();
            try {
                KeyRecord held = Keys.insert(store, id);
                acknowledged(id, after);
                before = after;
                after = "DONE";
                began = System.nanoTime();
                Keys.replace(store, held, Keys.done(id.key()));
                acknowledged(id, after);
            } catch (StoreException e) {
                failed(id, before, after, e, Duration.ofNanos(System.nanoTime() - began));
                LockSupport.parkNanos(5_000_000);
            }
        }
    }

    private synchronized void acknowledged(KeyId id, String state) {
        allowed.put(id, List.of(state));
        acknowledged++;
        notifyAll();
    }

    private synchronized void failed(KeyId id, String before, String after, StoreException failure, Duration took) {
        boolean unknown = failure.applied() == Applied.UNKNOWN;
        allowed.put(id, unknown ? List.of(before, after) : List.of(before));
        if (unknown) lost++;
        else refused++;
        if (took.compareTo(longest) > 0) longest = took;
        failures.merge(String.valueOf(failure.getMessage()), 1, Integer::sum);
        notifyAll();
    }

    /** Returns when this many more writes have been acknowledged. */
    synchronized void awaitAcknowledged(int more) throws InterruptedException {
        int goal = acknowledged + more;
        awaitThat(() -> acknowledged >= goal);
    }

    synchronized void awaitFailures(int more) throws InterruptedException {
        int goal = refused + lost + more;
        awaitThat(() -> refused + lost >= goal);
    }

    private synchronized void awaitThat(BooleanSupplier event) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!event.getAsBoolean()) {
            for (Future<?> caller : callers) assertFalse(caller.isDone(), "a caller ended early");
            assertTrue(System.nanoTime() - deadline < 0, "waited in vain; " + this);
            wait(1000);
        }
    }

    synchronized int lost() {
        return lost;
    }

    synchronized int refused() {
        return refused;
    }

    synchronized Duration longestFailure() {
        return longest;
    }

    void stop() throws Exception {
        running = false;
        for (Future<?> caller : callers) caller.get();
    }

    /** What does not agree with what was told. */
    synchronized List<String> disagreements(KeyStore store) {
        List<KeyId> ids = List.copyOf(allowed.keySet());
        Map<KeyId, String> found = new HashMap<>();
        for (int from = 0; from < ids.size(); from += 500)
            for (Seen seen : store.findAll(ids.subList(from, Math.min(from + 500, ids.size()))))
                found.put(seen.record().id(), state(seen));
        List<String> wrong = new ArrayList<>();
        allowed.forEach((id, states) -> {
            String state = found.getOrDefault(id, "nothing");
            if (!states.contains(state)) wrong.add(id.key() + " should be " + states + " and is " + state);
        });
        return wrong;
    }

    private static String state(Seen seen) {
        KeyState state = seen.record().state();
        boolean other = state instanceof KeyState.Done done
                && !done.outcome().equals(Keys.outcome(seen.record().id().key()));
        return other ? "another outcome" : state.kind().name();
    }

    @Override
    public synchronized String toString() {
        return acknowledged + " acknowledged, " + refused + " refused, " + lost + " lost: " + failures;
    }

    @Override
    public void close() {
        running = false;
        threads.close();
    }
}
