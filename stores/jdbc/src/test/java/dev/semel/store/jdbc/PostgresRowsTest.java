package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.KeyState.Kind;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.KeyIndex.Swept;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What stands in the table after a write, read without the store. */
class PostgresRowsTest extends OnEachPostgres {
    private PostgresKeyStore store;
    private Sql sql;

    @BeforeEach
    void openStore() throws SQLException {
        String url = freshDatabase();
        store = open(url);
        sql = Sql.on(url);
    }

    @Test
    void a_first_claim_is_one_row() throws SQLException {
        KeyRecord record = Keys.insert(store, Keys.id("k1"));
        assertEquals(
                List.of("acme|POST /v1/charges|k1|1|1|holder of k1|00:00:30|" + record.token() + "|" + record.token()),
                sql.rows("select tenant, operation, key, attempt, state, holder, lease_until - since, token, revision"
                        + " from semel_key where id = '\\x" + hex(record.id()) + "' and outcome is null"
                        + " and replay_until is null and forget_at is null and reason is null"
                        + " and doubt_since is null and fingerprint = '\\x01" + "00".repeat(32) + "'"));
    }

    @Test
    void the_first_token_is_the_clock_of_the_database() throws SQLException {
        Instant before = store.now();
        KeyRecord record = Keys.insert(store, Keys.id("k1"));
        assertEquals(NewKey.firstToken(record.since()), record.token());
        assertEquals(record.token(), record.revision());
        assertEquals("t", sql.one("select since between '" + before + "' and statement_timestamp() from semel_key"));
    }

    @Test
    void an_outcome_is_kept_byte_for_byte_with_its_two_ends() throws SQLException {
        byte[] bytes = new byte[3_000_000];
        new Random(42).nextBytes(bytes);
        KeyRecord held = Keys.insert(store, Keys.id("k1"));
        Next.Done next = new Next.Done(Outcome.of(bytes), Duration.ofMinutes(90), Duration.ofDays(36_500));
        KeyRecord done = Keys.replace(store, held, next);
        assertEquals(done, store.find(done.id()).record());
        assertEquals(Outcome.of(bytes), ((KeyState.Done) done.state()).outcome());
        assertEquals(
                "2|3000001|01:30:00|36500 days 01:30:00|" + (held.revision() + 1),
                sql.one("select state, length(outcome), replay_until - since, forget_at - since, revision"
                        + " from semel_key where holder is null and lease_until is null and doubt_since is null"));
    }

    @Test
    void an_empty_outcome_is_an_outcome() {
        KeyRecord done = Keys.put(store, "k1", Keys.done(""));
        assertEquals(
                0,
                ((KeyState.Done) store.find(done.id()).record().state())
                        .outcome()
                        .payload()
                        .length);
    }

    @Test
    void a_doubt_is_queued_while_it_lasts() throws SQLException {
        KeyRecord doubt = Keys.put(store, "k1", new Next.InDoubt("no answer"));
        assertEquals("3|no answer|t", sql.one("select state, reason, doubt_since = since from semel_key"));
        Keys.replace(store, doubt, new Next.Free(Keys.HOUR));
        assertEquals(
                "0|null|null|01:00:00", sql.one("select state, reason, doubt_since, forget_at - since from semel_key"));
    }

    @Test
    void a_renewal_keeps_the_beginning_of_the_hold() throws SQLException {
        KeyRecord held = Keys.insert(store, Keys.id("k1"));
        KeyRecord renewed = Keys.replace(store, held, new Next.Held("h", Keys.LEASE, held.since()));
        assertEquals(held.since(), renewed.since());
        assertEquals("t", sql.one("select lease_until > since + interval '30 s' from semel_key"));
    }

    @Test
    void what_a_write_answers_is_what_is_found_later() {
        Duration odd = Duration.ofNanos(1_000_000_001);
        List<Next> states = List.of(
                new Next.Held("another", odd, null),
                new Next.Done(Keys.outcome("x"), odd, odd),
                new Next.Free(odd),
                new Next.InDoubt("NUL \0 and half a character \uD83D, as a peer sent them"));
        NewKey claim = new NewKey(Keys.id("k1"), Keys.FINGERPRINT, "h", odd);
        KeyRecord last =
                assertInstanceOf(Inserted.Fresh.class, store.insert(claim)).record();
        assertEquals(last, store.find(Keys.id("k1")).record());
        for (Next next : states) {
            last = Keys.replace(store, last, next);
            assertEquals(last, store.find(Keys.id("k1")).record());
        }
    }

    @Test
    void nothing_lasts_shorter_than_was_asked_for() {
        KeyRecord held = Keys.insert(store, Keys.id("k1"));
        KeyRecord free = Keys.replace(store, held, new Next.Free(Duration.ofNanos(1)));
        KeyState.Free state = assertInstanceOf(KeyState.Free.class, free.state());
        assertEquals(free.since().plusNanos(1000), state.forgetAt());
    }

    @Test
    void a_row_of_another_key_under_the_same_digest_is_never_given_away() throws SQLException {
        KeyRecord held = Keys.insert(store, Keys.id("k1"));
        sql.execute("update semel_key set tenant = 'somebody else', revision = revision + 1");
        assertThrows(IllegalStateException.class, () -> store.find(held.id()));
        assertThrows(IllegalStateException.class, () -> store.findAll(List.of(held.id(), Keys.id("k2"))));
        assertThrows(IllegalStateException.class, () -> store.insert(Keys.claim(held.id())));
        assertThrows(IllegalStateException.class, () -> Keys.replace(store, held, Keys.done("mine")));
        assertEquals("somebody else|1", sql.one("select tenant, state from semel_key"));
    }

    /** As behind a pooler that gives out another session for every transaction. */
    @Test
    void nothing_depends_on_prepared_statements() {
        PostgresKeyStore pooled = open(sql.url() + "&prepareThreshold=0");
        KeyRecord done = Keys.put(pooled, "k1", Keys.done("x"));
        assertEquals(done, store.find(done.id()).record());
        assertEquals(done, pooled.findAll(List.of(done.id())).getFirst().record());
        assertEquals(
                1,
                pooled.list(new Listing("acme", Set.of(Kind.DONE), 10, null))
                        .lines()
                        .size());
        assertEquals(new Swept(1, 0, 0, true), pooled.sweep(10));
    }

    @Test
    void what_is_gone_is_not_found() throws SQLException {
        KeyRecord held = Keys.insert(store, Keys.id("k1"));
        sql.execute("delete from semel_key");
        assertNull(store.find(held.id()));
        assertEquals(List.<Seen>of(), store.findAll(List.of(held.id())));
    }

    private static String hex(KeyId id) {
        return HexFormat.of().formatHex(id.digest());
    }
}
