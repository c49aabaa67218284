package dev.semel.store.cassandra;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import dev.semel.testkit.LinearizabilityCheck;
import dev.semel.testkit.StoreScene;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two stores on one keyspace, as two processes have them, and callers of both who want the same key. */
@ExtendWith(SharedServer.class)
class HistoriesTest {
    private static final Clock CLOCK = LinearizabilityCheck.CLOCK;
    private static final long FIRST = NewKey.firstToken(CLOCK.instant());
    private static final int CALLERS = 5;
    private static final int CALLS_EACH = 4;
    private static final Duration IMPATIENT = Duration.ofSeconds(2);

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private CqlWire wire;
    private CassandraKeyStore direct;
    private CassandraKeyStore through;

    @BeforeEach
    void open() throws IOException {
        String url = SharedServer.freshUrl();
        wire = CqlWire.to(SharedServer.server().port());
        direct = CassandraKeyStore.open(url, SharedServer.PATIENT, CLOCK);
        through = CassandraKeyStore.open(
                url.replace(":" + SharedServer.server().port(), ":" + wire.port()),
                SharedServer.PATIENT.withRequestTimeout(IMPATIENT),
                CLOCK);
    }

    @AfterEach
    void close() {
        through.close();
        direct.close();
        wire.close();
    }

    @Test
    void calls_have_an_order_that_explains_their_answers() throws Exception {
        for (int round = 0; round < 40; round++) check(history("round " + round, () -> {}));
    }

    @Test
    void they_have_one_also_when_answers_get_lost() throws Exception {
        int unknown = 0;
        for (int round = 0; round < 4; round++) {
            History history = history("lost " + round, this::breakTheWire);
            check(history);
            unknown += history.unknown();
            awaitWire();
        }
        assertTrue(unknown > 0, "no answer got lost");
    }

    private void breakTheWire() {
        wire.lose(CqlWire.Loss.ANSWERS);
        LockSupport.parkNanos(3_000_000);
        wire.cut();
        wire.lose(CqlWire.Loss.NOTHING);
    }

    private void awaitWire() {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (true) {
            try {
                through.find(Keys.id("anything"));
                return;
            } catch (StoreException e) {
                assertTrue(System.nanoTime() - deadline < 0, "the store does not recover");
                LockSupport.parkNanos(20_000_000);
            }
        }
    }

    private void check(History history) {
        assertTrue(history.isLinearizable(), () -> "seed " + seed + history);
    }

    private History history(String key, Runnable meanwhile) throws Exception {
        History history = new History();
        List<Random> choices = random.longs(CALLERS).mapToObj(Random::new).toList();
        StoreScene.together(CALLERS + 1, i -> {
            if (i == CALLERS) meanwhile.run();
            else
                for (int call = 0; call < CALLS_EACH; call++)
                    call(history, i % 2 == 0 ? direct : through, key, choices.get(i));
            return i;
        });
        return history;
    }

    private static void call(History history, KeyStore store, String key, Random choice) {
        String what = List.of("insert", "replace", "replace", "find").get(choice.nextInt(4));
        int version = what.equals("replace") ? 1 + choice.nextInt(4) : 0;
        long began = System.nanoTime();
        try {
            String answer = answer(store, what, version, key);
            history.add(new History.Call(what, version, answer, began, System.nanoTime()));
        } catch (StoreException e) {
            // What did not happen has no place in the history; a look that failed has none either.
            if (e.applied() == Applied.UNKNOWN)
                history.add(new History.Call(what, version, "unknown", began, System.nanoTime()));
        }
    }

    private static String answer(KeyStore store, String what, int version, String key) {
        return switch (what) {
            case "insert" ->
                switch (store.insert(Keys.claim(key))) {
                    case Inserted.Fresh(KeyRecord record) -> "fresh " + version(record);
                    case Inserted.Existing(Seen seen) -> "existing " + version(seen.record());
                    case Inserted.Busy busy -> "busy";
                };
            case "replace" -> {
                KeyState held = new KeyState.Held("h", CLOCK.instant());
                KeyRecord seen = new KeyRecord(
                        Keys.id(key), Keys.FINGERPRINT, FIRST, 1, FIRST + version - 1, CLOCK.instant(), held);
                yield switch (store.replace(seen, Change.of(seen, Keys.done("x")))) {
                    case Replaced.Swapped(KeyRecord record) -> "swapped " + version(record);
                    case Replaced.Moved(Seen now) -> "moved " + (now == null ? 0 : version(now.record()));
                };
            }
            default -> {
                Seen seen = store.find(Keys.id(key));
                yield "found " + (seen == null ? 0 : version(seen.record()));
            }
        };
    }

    private static long version(KeyRecord record) {
        return record.revision() - FIRST + 1;
    }

    @Test
    void the_check_itself_finds_what_is_wrong() {
        History stale = new History();
        stale.add(new History.Call("insert", 0, "fresh 1", 1, 2));
        stale.add(new History.Call("find", 0, "found 0", 3, 4));
        assertFalse(stale.isLinearizable());
        History twice = new History();
        twice.add(new History.Call("insert", 0, "fresh 1", 1, 5));
        twice.add(new History.Call("insert", 0, "fresh 1", 2, 6));
        assertFalse(twice.isLinearizable());
        History lost = new History();
        lost.add(new History.Call("insert", 0, "unknown", 1, 2));
        lost.add(new History.Call("find", 0, "found 0", 3, 4));
        lost.add(new History.Call("find", 0, "found 1", 5, 6));
        assertTrue(lost.isLinearizable());
        lost.add(new History.Call("find", 0, "found 0", 7, 8));
        assertFalse(lost.isLinearizable());
    }
}
