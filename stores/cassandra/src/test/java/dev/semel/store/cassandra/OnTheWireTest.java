package dev.semel.store.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.Next;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import dev.semel.testkit.StoreScene;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** How much is said to the server, and what becomes of a call when that gets lost. */
@ExtendWith(SharedServer.class)
class OnTheWireTest {
    private static final Duration IMPATIENT = Duration.ofMillis(1500);

    private String direct;
    private CqlWire wire;
    private CassandraKeyStore store;

    @BeforeEach
    void open() throws IOException {
        direct = SharedServer.freshUrl();
        wire = CqlWire.to(SharedServer.server().port());
        String through = direct.replace(":" + SharedServer.server().port(), ":" + wire.port());
        CassandraKeyStore.open(direct, SharedServer.PATIENT).close();
        store = CassandraKeyStore.open(through, SharedServer.PATIENT.withRequestTimeout(IMPATIENT));
    }

    @AfterEach
    void close() {
        wire.lose(CqlWire.Loss.NOTHING);
        store.close();
        wire.close();
    }

    private int statementsOf(Runnable call) {
        int before = wire.statements();
        call.run();
        return wire.statements() - before;
    }

    @Test
    void every_call_is_one_round_trip_also_one_that_loses() {
        assertEquals(1, statementsOf(() -> Keys.insert(store, "k")));
        KeyRecord held = store.find(Keys.id("k")).record();
        assertEquals(1, statementsOf(() -> assertInstanceOf(Inserted.Existing.class, store.insert(Keys.claim("k")))));
        assertEquals(1, statementsOf(() -> Keys.replace(store, held, Keys.done("outcome"))));
        assertEquals(1, statementsOf(() -> assertNotNull(store.find(Keys.id("k")))));
        assertEquals(1, statementsOf(() -> {
            Inserted.Existing replay = assertInstanceOf(Inserted.Existing.class, store.insert(Keys.claim("k")));
            KeyState.Done done =
                    assertInstanceOf(KeyState.Done.class, replay.seen().record().state());
            assertEquals("outcome", new String(done.outcome().payload(), StandardCharsets.UTF_8));
        }));
        assertEquals(1, statementsOf(() -> {
            Replaced late = store.replace(held, Change.of(held, new Next.Free(Keys.HOUR)));
            assertInstanceOf(
                    KeyState.Done.class,
                    assertInstanceOf(Replaced.Moved.class, late)
                            .current()
                            .record()
                            .state());
        }));
        assertEquals(0, statementsOf(store::now));
    }

    @Test
    void callers_who_want_the_same_key_at_the_same_time_share_round_trips() throws Exception {
        int before = wire.statements();
        List<Inserted> answers = StoreScene.together(200, i -> store.insert(Keys.claim("hot")));
        assertEquals(
                1, answers.stream().filter(Inserted.Fresh.class::isInstance).count());
        int asked = wire.statements() - before;
        assertTrue(asked < 100, asked + " round trips for 200 callers");
    }

    @Test
    void many_keys_are_looked_for_at_once() {
        List<KeyId> ids = IntStream.range(0, 50).mapToObj(i -> Keys.id("k" + i)).toList();
        Keys.insert(store, "k7");
        assertEquals(50, statementsOf(() -> assertEquals(1, store.findAll(ids).size())));
    }

    @Test
    void a_write_whose_answer_is_lost_is_unknown_and_may_be_there() {
        KeyRecord held = Keys.insert(store, "k");
        wire.lose(CqlWire.Loss.ANSWERS);
        assertEquals(Applied.UNKNOWN, failure(() -> store.replace(held, Change.of(held, Keys.done("x")))));
        wire.lose(CqlWire.Loss.NOTHING);
        wire.cut();
        assertInstanceOf(KeyState.Done.class, awaitFound("k").state());
    }

    @Test
    void a_write_that_gets_lost_is_unknown_and_is_not_there() {
        KeyRecord held = Keys.insert(store, "k");
        wire.lose(CqlWire.Loss.REQUESTS);
        assertEquals(Applied.UNKNOWN, failure(() -> store.replace(held, Change.of(held, Keys.done("x")))));
        assertEquals(Applied.UNKNOWN, failure(() -> store.insert(Keys.claim("new"))));
        wire.lose(CqlWire.Loss.NOTHING);
        wire.cut();
        assertEquals(held, awaitFound("k"));
        Keys.insert(store, "new");
    }

    @Test
    void a_broken_connection_is_made_again() {
        for (int i = 0; i < 2; i++) {
            Keys.insert(store, "k" + i);
            wire.cut();
            awaitFound("k" + i);
        }
    }

    private static Applied failure(Executable call) {
        return assertThrows(StoreException.class, call).applied();
    }

    private KeyRecord awaitFound(String key) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (true) {
            try {
                return store.find(Keys.id(key)).record();
            } catch (StoreException e) {
                if (System.nanoTime() - deadline > 0) throw e;
                LockSupport.parkNanos(20_000_000);
            }
        }
    }
}
