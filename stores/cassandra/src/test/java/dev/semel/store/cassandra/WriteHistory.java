package dev.semel.store.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Callers that claim and complete keys of their own without pause, and what each was told. Afterwards the table must agree:
 * what was acknowledged is there, what was refused is not, and only where the answer was lost may it be either.
 */
final class WriteHistory implements AutoCloseable {
    private static final int NOTHING = 0;
    private static final int HELD = 2;
    private static final int DONE = 3;

    /** Which states may be found under a key, as the second byte of a record names them. */
    private final Map<String, List<Integer>> allowed = new HashMap<>();

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> callers = new ArrayList<>();
    private int acknowledged;
    private int refused;
    private int lost;
    private Duration longest = Duration.ZERO;
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
            String key = caller + i;
            int before = NOTHING;
            int after = HELD;
            long began = System.nanoTime();
            try {
                KeyRecord held = Keys.insert(store, key);
                acknowledged(key, after, began);
                before = after;
                after = DONE;
                began = System.nanoTime();
                Keys.replace(store, held, Keys.done(key));
                acknowledged(key, after, began);
            } catch (StoreException e) {
                failed(key, before, after, e, began);
                LockSupport.parkNanos(50_000_000);
            }
        }
    }

    private synchronized void acknowledged(String key, int state, long began) {
        allowed.put(key, List.of(state));
        acknowledged++;
        took(began);
    }

    private synchronized void failed(String key, int before, int after, StoreException failure, long began) {
        boolean unknown = failure.applied() == Applied.UNKNOWN;
        allowed.put(key, unknown ? List.of(before, after) : List.of(before));
        if (unknown) lost++;
        else refused++;
        took(began);
    }

    private void took(long began) {
        Duration time = Duration.ofNanos(System.nanoTime() - began);
        if (time.compareTo(longest) > 0) longest = time;
        notifyAll();
    }

    synchronized void awaitAcknowledged(int more) throws InterruptedException {
        int goal = acknowledged + more;
        awaitThat(() -> acknowledged >= goal);
    }

    synchronized void awaitLost(int more) throws InterruptedException {
        int goal = lost + more;
        awaitThat(() -> lost >= goal);
    }

    synchronized void awaitRefused(int more) throws InterruptedException {
        int goal = refused + more;
        awaitThat(() -> refused >= goal);
    }

    private synchronized void awaitThat(BooleanSupplier event) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!event.getAsBoolean()) {
            for (Future<?> caller : callers) assertFalse(caller.isDone(), "a caller ended early");
            assertTrue(System.nanoTime() - deadline < 0, "waited in vain");
            wait(1000);
        }
    }

    synchronized Duration longest() {
        return longest;
    }

    void stop() throws Exception {
        running = false;
        for (Future<?> caller : callers) caller.get();
    }

    /** Compares every key with the table; where an answer was lost, after the round that was under way has been finished. */
    synchronized void checkAgainst(RawTable table) {
        allowed.forEach((key, states) -> {
            if (states.size() > 1) table.row("revision", key);
        });
        Map<ByteBuffer, Row> rows = table.all("record, outcome");
        allowed.forEach((key, states) -> {
            Row row = rows.remove(RawTable.id(key));
            ByteBuffer record = row == null ? null : row.getByteBuffer("record");
            int state = record == null ? NOTHING : record.get(1);
            assertTrue(states.contains(state), key + " should be " + states + " and is " + state);
            if (state == DONE) {
                ByteBuffer outcome = row.getByteBuffer("outcome");
                outcome.get();
                assertEquals(key, StandardCharsets.UTF_8.decode(outcome).toString());
            }
        });
        assertEquals(0, rows.size(), "rows that nobody wrote");
    }

    @Override
    public void close() {
        running = false;
        threads.close();
    }
}
