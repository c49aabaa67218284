package dev.semel.store.cassandra;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.store.StoreException;
import dev.semel.testkit.KeyHistory;
import dev.semel.testkit.LinearizabilityCheck;
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
        KeyHistory.check(List.of(direct, through), 40);
    }

    @Test
    void they_have_one_also_when_answers_get_lost() throws Exception {
        int unknown = 0;
        for (int round = 0; round < 4; round++) {
            KeyHistory history = KeyHistory.of(List.of(direct, through), random, this::breakTheWire);
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

    private void check(KeyHistory history) {
        assertTrue(history.isLinearizable(), () -> "seed " + seed + history);
    }

    @Test
    void the_check_itself_finds_what_is_wrong() {
        KeyHistory stale = new KeyHistory();
        stale.add(new KeyHistory.Call("insert", 0, "fresh 1", 1, 2));
        stale.add(new KeyHistory.Call("find", 0, "found 0", 3, 4));
        assertFalse(stale.isLinearizable());
        KeyHistory twice = new KeyHistory();
        twice.add(new KeyHistory.Call("insert", 0, "fresh 1", 1, 5));
        twice.add(new KeyHistory.Call("insert", 0, "fresh 1", 2, 6));
        assertFalse(twice.isLinearizable());
        KeyHistory lost = new KeyHistory();
        lost.add(new KeyHistory.Call("insert", 0, "unknown", 1, 2));
        lost.add(new KeyHistory.Call("find", 0, "found 0", 3, 4));
        lost.add(new KeyHistory.Call("find", 0, "found 1", 5, 6));
        assertTrue(lost.isLinearizable());
        lost.add(new KeyHistory.Call("find", 0, "found 0", 7, 8));
        assertFalse(lost.isLinearizable());
    }
}
