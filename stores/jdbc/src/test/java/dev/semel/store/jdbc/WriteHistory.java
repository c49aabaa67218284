package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState.Kind;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

/**
 * Callers that claim and complete keys of their own without pause, and what each was told. Afterwards the table must agree:
 * what was acknowledged is there, what was refused is not, and only where the answer was lost may it be either.
 */
final class WriteHistory implements AutoCloseable {
    /** Which rows may be found under a key: the number of the state, or "nothing". */
    private final Map<String, List<String>> allowed = new HashMap<>();

    private int acknowledged;
    private int refused;
    private int lost;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> callers = new ArrayList<>();
    private volatile boolean running = true;

    static WriteHistory of(KeyStore store, int callers) {
        WriteHistory history = new WriteHistory();
        for (int i = 0; i < callers; i++) {
            String caller = "caller " + i + " key ";
            history.callers.add(history.threads.submit(() -> history.write(store, caller)));
        }
        return history;
    }

    private void write(KeyStore store, String caller) {
        for (int i = 0; running; i++) {
            KeyId id = Keys.id(caller + i);
            String before = "nothing";
            String after = state(Kind.HELD);
            try {
                KeyRecord held = Keys.insert(store, id);
                acknowledged(id, after);
                before = after;
                after = state(Kind.DONE);
                Keys.replace(store, held, Keys.done(id.key()));
                acknowledged(id, after);
            } catch (StoreException e) {
                failed(id, before, after, e);
            }
        }
    }

    private synchronized void acknowledged(KeyId id, String state) {
        allowed.put(id.key(), List.of(state));
        acknowledged++;
        notifyAll();
    }

    private synchronized void failed(KeyId id, String before, String after, StoreException failure) {
        boolean unknown = failure.applied() == Applied.UNKNOWN;
        allowed.put(id.key(), unknown ? List.of(before, after) : List.of(before));
        if (unknown) lost++;
        else refused++;
        notifyAll();
    }

    private static String state(Kind kind) {
        return Integer.toString(StateNumber.of(kind));
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
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!event.getAsBoolean()) {
            for (Future<?> caller : callers) assertFalse(caller.isDone(), "a caller ended early");
            assertTrue(System.nanoTime() - deadline < 0, "waited in vain");
            wait(1000);
        }
    }

    synchronized int lost() {
        return lost;
    }

    synchronized int refused() {
        return refused;
    }

    void stop() throws Exception {
        running = false;
        for (Future<?> caller : callers) caller.get();
    }

    /** Compares every key with the table. */
    void checkAgainst(Sql sql) throws SQLException {
        checkAgainst(
                sql,
                "select key, state, state = 2 and convert_from(substring(outcome from 2), 'UTF8') = key from"
                        + " semel_key");
    }

    /** @param query for each row its key, its state, and "t" if it is finished with its key as the outcome, else "f" */
    synchronized void checkAgainst(Sql sql, String query) throws SQLException {
        Map<String, String> found = new TreeMap<>();
        for (String row : sql.rows(query)) {
            String[] columns = row.split("\\|");
            found.put(columns[0], columns[1]);
            assertEquals(columns[1].equals("2") ? "t" : "f", columns[2], row);
        }
        allowed.forEach((key, states) -> {
            String state = found.getOrDefault(key, "nothing");
            assertTrue(states.contains(state), key + " should be " + states + " and is " + state);
        });
        assertTrue(allowed.keySet().containsAll(found.keySet()), "rows that nobody wrote");
    }

    @Override
    public void close() {
        running = false;
        threads.close();
    }
}
