package dev.semel.store.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
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
import dev.semel.testkit.redis.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What goes over the wire, what stands in the server afterwards, and what is told when an answer is lost. */
@Timeout(60)
@ExtendWith(SharedServer.class)
class RedisAnswersTest {
    private final KeyId id = Keys.id(UUID.randomUUID().toString());
    private final String record = Keys.name("semel:", id);
    private Wire wire;
    private RedisKeyStore store;
    private RedisServer server;

    @BeforeEach
    void open() throws IOException {
        server = SharedServer.get();
        wire = Wire.to(server.port());
        store = RedisKeyStore.open(wire.url(), RedisContractTest.LONG_TIMEOUTS);
    }

    @AfterEach
    void close() {
        store.close();
        wire.close();
    }

    @Test
    void each_call_is_one_round_trip() {
        int before = wire.roundTrips();
        KeyRecord held = Keys.insert(store, id);
        assertEquals(1, wire.roundTrips() - before, "a fresh claim");
        Keys.replace(store, held, Keys.done("x".repeat(1000)));
        assertEquals(2, wire.roundTrips() - before, "its outcome");
        Inserted.Existing replay = assertInstanceOf(Inserted.Existing.class, store.insert(Keys.claim(id)));
        assertInstanceOf(KeyState.Done.class, replay.seen().record().state());
        assertEquals(3, wire.roundTrips() - before, "a replay");
        store.find(id);
        assertEquals(4, wire.roundTrips() - before, "a look");
        assertInstanceOf(Replaced.Moved.class, store.replace(held, Change.of(held, Keys.done("late"))));
        assertEquals(5, wire.roundTrips() - before, "a late word");
    }

    @Test
    void callers_at_the_same_time_share_a_connection_and_round_trips() throws Exception {
        int before = wire.roundTrips();
        StoreScene.together(1000, i -> store.insert(Keys.claim(Keys.id(id.key() + i))));
        int trips = wire.roundTrips() - before;
        System.out.println("1000 concurrent inserts took " + trips + " round trips");
        assertTrue(trips < 700, "1000 calls took " + trips + " round trips");
    }

    @Test
    void the_record_and_its_outcome_go_by_themselves_and_what_is_open_stays() {
        KeyRecord held = Keys.insert(store, id);
        assertEquals(-1L, server.call("PTTL", record), "what is held");
        held = Keys.replace(store, held, new Next.Held("h", Keys.LEASE, held.since()));
        assertEquals(-1L, server.call("PTTL", record), "what is still held");
        KeyRecord doubt = Keys.replace(store, held, new Next.InDoubt("?"));
        assertEquals(-1L, server.call("PTTL", record), "what is in doubt");
        Keys.replace(store, doubt, new Next.Done(Keys.outcome("body"), Duration.ofMinutes(1), Duration.ofMinutes(9)));
        assertTtl(Duration.ofMinutes(10), record);
        assertTtl(Duration.ofMinutes(1), record + ":o");
        String outcome = (String) server.call("GET", record + ":o");
        assertTrue(outcome.endsWith("body"), outcome);
        assertEquals(outcome.substring(0, 8), ((String) server.call("GET", record)).substring(1, 9), "one revision");
        assertFalse(((String) server.call("GET", record)).contains("body"));
    }

    private void assertTtl(Duration expected, String name) {
        long ttl = (Long) server.call("PTTL", name);
        assertTrue(ttl <= expected.toMillis() && ttl > expected.toMillis() - 20_000, name + " goes in " + ttl + " ms");
    }

    @Test
    void an_outcome_that_is_gone_before_its_time_leaves_a_spent_key_that_never_runs_again() {
        Keys.put(store, id.key(), Keys.done("body"));
        server.call("DEL", record + ":o");
        assertInstanceOf(KeyState.Spent.class, store.find(id).record().state());
    }

    @Test
    void an_outcome_of_another_write_is_nobodys() {
        Keys.put(store, id.key(), Keys.done("body"));
        server.call("SET", record + ":o", "01234567another");
        assertInstanceOf(KeyState.Spent.class, store.find(id).record().state());
    }

    @Test
    void a_claim_whose_answer_is_lost_is_of_unknown_fate_and_not_said_again() throws Exception {
        wire.keepAnswers();
        CompletableFuture<Object> inserted = CompletableFuture.supplyAsync(() -> store.insert(Keys.claim(id)));
        wire.awaitKept();
        assertUnknown(inserted);
        KeyRecord there = store.find(id).record();
        assertEquals(there.token(), there.revision(), "it was said once");
    }

    @Test
    void an_outcome_whose_answer_is_lost_is_of_unknown_fate_and_not_said_again() throws Exception {
        KeyRecord held = Keys.insert(store, id);
        wire.keepAnswers();
        CompletableFuture<Object> replaced =
                CompletableFuture.supplyAsync(() -> store.replace(held, Change.of(held, Keys.done("x"))));
        wire.awaitKept();
        assertUnknown(replaced);
        assertEquals(held.revision() + 1, store.find(id).record().revision());
    }

    private static void assertUnknown(CompletableFuture<Object> call) {
        Throwable failure = assertThrows(Exception.class, () -> call.get(30, TimeUnit.SECONDS))
                .getCause();
        assertEquals(
                Applied.UNKNOWN, assertInstanceOf(StoreException.class, failure).applied());
    }

    @Test
    void a_look_whose_answer_is_lost_has_written_nothing() throws Exception {
        wire.keepAnswers();
        CompletableFuture<Object> found = CompletableFuture.supplyAsync(() -> store.find(id));
        wire.awaitKept();
        Throwable failure = assertThrows(Exception.class, () -> found.get(30, TimeUnit.SECONDS))
                .getCause();
        assertEquals(Applied.NO, assertInstanceOf(StoreException.class, failure).applied());
    }

    @Test
    void two_keys_with_one_digest_never_share_a_record() {
        KeyRecord held = Keys.insert(store, id);
        KeyId other = Keys.id("the other " + UUID.randomUUID());
        server.call("COPY", record, Keys.name("semel:", other));
        assertThrows(IllegalStateException.class, () -> store.insert(Keys.claim(other)));
        assertThrows(IllegalStateException.class, () -> store.find(other));
        assertThrows(IllegalStateException.class, () -> store.findAll(List.of(id, other)));
        KeyRecord mine =
                new KeyRecord(other, held.fingerprint(), held.token(), 1, held.revision(), held.since(), held.state());
        assertThrows(IllegalStateException.class, () -> store.replace(mine, Change.of(mine, Keys.done("x"))));
        assertInstanceOf(KeyState.Held.class, store.find(id).record().state());
    }

    @Test
    void outcomes_are_kept_up_to_the_limit_and_refused_beyond_it() {
        String small = SharedServer.freshUrl();
        try (RedisKeyStore limited = RedisKeyStore.open(small, RedisOptions.DEFAULT.withLargestOutcome(1000))) {
            assertEquals(1000, limited.traits().largestOutcome());
            Keys.put(limited, "fits", Keys.done("x".repeat(999)));
            KeyRecord held = Keys.insert(limited, Keys.id("too large"));
            StoreException refused = assertThrows(
                    StoreException.class, () -> limited.replace(held, Change.of(held, Keys.done("x".repeat(1000)))));
            assertEquals(Applied.NO, refused.applied());
            assertInstanceOf(
                    KeyState.Held.class, limited.find(held.id()).record().state());
        }
    }

    @Test
    void a_holder_and_a_reason_may_be_any_string() {
        String odd = "half a pair \ud83d, nul \0, \uffff";
        KeyRecord doubt = Keys.replace(store, Keys.insert(store, id), new Next.InDoubt(odd));
        assertEquals(doubt, store.find(id).record());
        assertEquals(odd, ((KeyState.InDoubt) doubt.state()).reason());
    }

    @Test
    void durations_without_an_end_do_no_harm() {
        Next.Done forever = new Next.Done(Keys.outcome("x"), Duration.ofDays(365_000), Duration.ofDays(1_000_000));
        KeyRecord done = Keys.put(store, id.key(), forever);
        assertEquals(done, store.find(id).record());
        assertNull(store.find(Keys.id("nobody " + UUID.randomUUID())));
    }
}
