package dev.semel.store.dynamodb;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
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
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Callers that claim and complete keys of their own, and what each was told. Afterwards the table must agree: what was
 * acknowledged is there, what was refused is not, and only where the answer was lost may it be either.
 */
final class WriteHistory implements AutoCloseable {
    private static final String NOTHING = "nothing";

    private final Map<String, List<String>> allowed = new HashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> callers = new ArrayList<>();
    private Duration longest = Duration.ZERO;
    private int acknowledged;
    private int refused;
    private int lost;
    private volatile boolean running = true;

    static WriteHistory of(KeyStore store, int callers) {
        WriteHistory history = new WriteHistory();
        for (int i = 0; i < callers; i++) {
            String caller = "caller " + i + " key ";
            history.callers.add(history.threads.submit(() -> history.write(store, caller)));
        }
        return history;
    }

    /** Goes on after a failure as a client would, who pauses first. */
    private void write(KeyStore store, String caller) {
        for (int i = 0; running; i++) {
            KeyId id = Keys.id(caller + i);
            String before = NOTHING;
            String after = "held";
            long began = System.nanoTime();
            try {
                KeyRecord held = Keys.insert(store, id);
                told(id, List.of(after), null, began);
                before = after;
                after = "done";
                began = System.nanoTime();
                Keys.replace(store, held, Keys.done(id.key()));
                told(id, List.of(after), null, began);
            } catch (StoreException e) {
                boolean unknown = e.applied() == Applied.UNKNOWN;
                told(id, unknown ? List.of(before, after) : List.of(before), e.applied(), began);
                LockSupport.parkNanos(20_000_000);
            }
        }
    }

    private synchronized void told(KeyId id, List<String> states, Applied failure, long began) {
        allowed.put(id.key(), states);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        if (took.compareTo(longest) > 0) longest = took;
        if (failure == null) acknowledged++;
        else if (failure == Applied.UNKNOWN) lost++;
        else refused++;
        notifyAll();
    }

    /** Returns when so many more writes have been acknowledged. */
    synchronized void awaitAcknowledged(int more) throws InterruptedException {
        int goal = acknowledged + more;
        awaitThat(() -> acknowledged >= goal);
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

    synchronized int lost() {
        return lost;
    }

    synchronized int refused() {
        return refused;
    }

    /** The longest that any call took, however it ended. */
    synchronized Duration longest() {
        return longest;
    }

    void stop() throws Exception {
        running = false;
        for (Future<?> caller : callers) caller.get();
    }

    /** Compares every key with the table. */
    synchronized void checkAgainst(DynamoDbClient raw, String table) {
        Map<String, String> found = new HashMap<>();
        raw.scanPaginator(request -> request.tableName(table)).items().forEach(item -> {
            String state = item.get("state").s();
            String key = item.get("key").s();
            found.put(key, state);
            if (state.equals("done")) assertTrue(outcome(item).equals("\7" + key), key + " has another's outcome");
        });
        allowed.forEach((key, states) -> {
            String state = found.getOrDefault(key, NOTHING);
            assertTrue(states.contains(state), key + " should be " + states + " and is " + state);
        });
        assertTrue(allowed.keySet().containsAll(found.keySet()), "items that nobody wrote");
    }

    private static String outcome(Map<String, AttributeValue> item) {
        return item.get("outcome").b().asUtf8String();
    }

    @Override
    public void close() {
        running = false;
        threads.close();
    }
}
