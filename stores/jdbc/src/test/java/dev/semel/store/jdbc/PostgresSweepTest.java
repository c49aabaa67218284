package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyIndex.Swept;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresSweepTest extends OnEachPostgres {
    private PostgresKeyStore store;
    private Sql sql;

    @BeforeEach
    void openStore() throws SQLException {
        String url = freshDatabase();
        store = open(url);
        sql = Sql.on(url);
    }

    @Test
    void an_empty_store_is_clean() {
        assertEquals(new Swept(0, 0, 0, true), store.sweep(100));
    }

    @Test
    void what_is_past_its_time_goes_and_all_else_stays() throws SQLException {
        Keys.insert(store, Keys.id("held"));
        Keys.put(store, "doubtful", new Next.InDoubt("no answer"));
        Keys.put(store, "free", new Next.Free(Keys.HOUR));
        Keys.put(store, "done", Keys.done("x"));
        KeyRecord spent = Keys.put(store, "spent", Keys.done("x"));
        Keys.put(store, "forgotten", Keys.done("x"));
        Keys.put(store, "freed long ago", new Next.Free(Keys.HOUR));
        sql.execute(
                "update semel_key set lease_until = now() - interval '1 day' where state = 1",
                "update semel_key set replay_until = now() where key = 'spent'",
                "update semel_key set replay_until = now(), forget_at = now() where key = 'forgotten'",
                "update semel_key set forget_at = now() where key = 'freed long ago'");
        Seen before = store.find(spent.id());

        Swept purged = store.sweep(100);
        assertEquals(List.of(7L, 2L, 1L), List.of(purged.looked(), purged.removed(), purged.stripped()));
        assertEquals(Set.of(Keys.id("held"), Keys.id("doubtful")), Set.copyOf(purged.due()));

        assertEquals(
                List.of("done|2", "doubtful|3", "free|0", "held|1", "spent|4"),
                sql.rows("select key, state from semel_key order by key"));
        assertEquals("t", sql.one("select outcome is null and replay_until is null from semel_key where state = 4"));
        assertEquals(before.record().asOf(before.now()), store.find(spent.id()).record());
        assertEquals(new Swept(5, 0, 0, true, purged.due(), List.of(), 1), store.sweep(100));
    }

    @Test
    void a_walk_of_small_steps_reaches_every_row() throws SQLException {
        sql.execute("insert into semel_key (id, tenant, operation, key, fingerprint, token, attempt, revision, state,"
                + " since, forget_at) select sha256(i::text::bytea), 't', 'o', i::text, '\\x0101', 1, 1, 1, 0, now(),"
                + " now() + case when i % 2 = 0 then interval '0' else interval '1 day' end"
                + " from generate_series(1, 5000) i");
        long looked = 0;
        long removed = 0;
        Swept step;
        do {
            step = store.sweep(200);
            looked += step.looked();
            removed += step.removed();
            assertTrue(step.looked() <= 1000, "one step looked at " + step.looked());
        } while (!step.finished());
        assertEquals(5000, looked);
        assertEquals(2500, removed);
        assertEquals("2500|t", sql.one("select count(*), bool_and(forget_at > now()) from semel_key"));
    }

    @Test
    void a_locked_row_is_passed_over_and_left_to_the_next_round() throws SQLException {
        for (String key : new String[] {"a", "b", "c", "d"}) Keys.put(store, key, Keys.done("x"));
        sql.execute(
                "update semel_key set forget_at = now() where key in ('a', 'b')",
                "update semel_key set replay_until = now() where key in ('c', 'd')");
        try (Connection other = sql.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("select from semel_key where key in ('a', 'c') for update");
            assertEquals(new Swept(4, 1, 1, true), store.sweep(100));
            other.rollback();
        }
        assertEquals(List.of("a|2", "c|2", "d|4"), sql.rows("select key, state from semel_key order by key"));
        assertEquals(new Swept(3, 1, 1, true), store.sweep(100));
    }

    @Test
    void two_processes_may_sweep_at_once() throws Exception {
        sql.execute("insert into semel_key (id, tenant, operation, key, fingerprint, token, attempt, revision, state,"
                + " since, forget_at) select sha256(i::text::bytea), 't', 'o', i::text, '\\x0101', 1, 1, 1, 0, now(),"
                + " now() from generate_series(1, 5000) i");
        PostgresKeyStore other = open(sql.url());
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<Long> here = threads.submit(() -> walk(store));
            Future<Long> there = threads.submit(() -> walk(other));
            long left = 5000 - here.get() - there.get();
            assertEquals(left, Long.parseLong(sql.one("select count(*) from semel_key")));
        }
        walk(store);
        assertEquals("0", sql.one("select count(*) from semel_key"));
    }

    private static long walk(PostgresKeyStore store) {
        long removed = 0;
        Swept step;
        do {
            step = store.sweep(100);
            removed += step.removed();
        } while (!step.finished());
        return removed;
    }

    /**
     * Keys live very short lives while a purge runs over them without pause. Whatever a caller sees must be what it wrote
     * itself, spent, or nothing; and a swap must never be undone by the purge.
     */
    @Test
    void callers_never_see_a_wrong_state_while_a_sweep_runs() throws Exception {
        AtomicBoolean working = new AtomicBoolean(true);
        AtomicLong swept = new AtomicLong();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> purge = threads.submit(() -> sweepWhile(working, swept));
            try {
                // On a busy machine the sweep may come late: then there are more lives to sweep.
                for (int round = 0; round == 0 || (round < 50 && swept.get() <= 100); round++) {
                    List<Future<?>> callers = new ArrayList<>();
                    for (int caller = 0; caller < 8; caller++) {
                        String key = "caller " + round + " " + caller;
                        callers.add(threads.submit(() -> liveAndDie(key, 100)));
                    }
                    for (Future<?> caller : callers) caller.get();
                }
            } finally {
                working.set(false);
            }
            purge.get();
            assertTrue(swept.get() > 100, "the sweep had something to do");
        }
    }

    private void sweepWhile(AtomicBoolean working, AtomicLong swept) {
        while (working.get()) {
            Swept step = store.sweep(50);
            swept.addAndGet(step.removed() + step.stripped());
        }
    }

    private void liveAndDie(String key, int lives) {
        long lastToken = 0;
        for (int life = 0; life < lives; life++) {
            KeyRecord held = switch (store.insert(Keys.claim(Keys.id(key)))) {
                case Inserted.Fresh it -> it.record();
                case Inserted.Existing it -> takeOver(it.seen());
                case Inserted.Busy it -> throw new AssertionError("Nobody joins keys here.");
            };
            if (held == null) continue;
            assertTrue(held.token() > lastToken, held.token() + " after " + lastToken);
            lastToken = held.token();
            Duration instant = Duration.ofNanos(1000L * (life % 3));
            Next.Done next = new Next.Done(Keys.outcome(key + life), instant, instant);
            KeyRecord done = assertInstanceOf(Replaced.Swapped.class, store.replace(held, Change.of(held, next)))
                    .record();
            Seen seen = store.find(held.id());
            if (seen == null) continue;
            assertEquals(done.revision(), seen.record().revision());
            if (seen.record().state() instanceof KeyState.Done it) assertEquals(Keys.outcome(key + life), it.outcome());
            else assertInstanceOf(KeyState.Spent.class, seen.record().state());
        }
    }

    /** As the engine does with a record that counts as absent. Null when the purge was faster. */
    private KeyRecord takeOver(Seen seen) {
        KeyRecord old = seen.record();
        if (!(old.state() instanceof KeyState.Done)) assertInstanceOf(KeyState.Spent.class, old.state());
        assertNull(old.asOf(seen.now().plusMillis(1)), "a life lasts microseconds");
        Change claim = new Change(old.fingerprint(), old.token() + 1, 1, new Next.Held("h", Keys.LEASE, null));
        return switch (store.replace(old, claim)) {
            case Replaced.Swapped it -> it.record();
            case Replaced.Moved it -> {
                assertNull(it.current(), "only the purge is there beside the one caller");
                yield null;
            }
        };
    }
}
