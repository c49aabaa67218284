package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresConcurrencyTest extends OnEachPostgres {
    private static final int CALLERS = 64;

    private PostgresKeyStore store;
    private Sql sql;

    @BeforeEach
    void openStore() throws SQLException {
        String url = freshDatabase();
        store = open(url, ContractDatabase.LONG_TIMEOUTS.withPoolSize(CALLERS));
        sql = Sql.on(url);
    }

    @Test
    void of_many_inserts_of_a_key_one_is_fresh_and_the_others_see_it() throws Exception {
        for (int round = 0; round < 10; round++) {
            KeyId id = Keys.id("round " + round);
            List<Inserted> answers =
                    atOnce(i -> () -> store.insert(new NewKey(id, Keys.FINGERPRINT, "holder " + i, Keys.LEASE)));
            List<KeyRecord> fresh = new ArrayList<>();
            for (Inserted answer : answers) if (answer instanceof Inserted.Fresh it) fresh.add(it.record());
            assertEquals(1, fresh.size());
            for (Inserted answer : answers)
                if (answer instanceof Inserted.Existing it)
                    assertEquals(fresh.getFirst(), it.seen().record());
            assertEquals(fresh.getFirst(), store.find(id).record());
        }
        assertEquals("10", sql.one("select count(*) from semel_key"));
    }

    @Test
    void of_many_replaces_of_a_revision_one_swaps_and_the_others_see_its_work() throws Exception {
        KeyRecord held = Keys.insert(store, Keys.id("k1"));
        List<Replaced> answers = atOnce(i -> () -> store.replace(held, Change.of(held, Keys.done("by " + i))));
        List<KeyRecord> swapped = new ArrayList<>();
        for (Replaced answer : answers) if (answer instanceof Replaced.Swapped it) swapped.add(it.record());
        assertEquals(1, swapped.size());
        for (Replaced answer : answers)
            if (answer instanceof Replaced.Moved it)
                assertEquals(swapped.getFirst(), it.current().record());
    }

    /** Counts with compare-and-set alone: a lost or doubled write would show in the sum. */
    @Test
    void no_replace_is_lost() throws Exception {
        KeyRecord first = Keys.insert(store, Keys.id("k1"));
        atOnce(i -> () -> {
            KeyRecord seen = first;
            for (int done = 0; done < 5; ) {
                Change more = new Change(seen.fingerprint(), seen.token() + 1, 1, new Next.Free(Keys.HOUR));
                switch (store.replace(seen, more)) {
                    case Replaced.Swapped it -> {
                        seen = it.record();
                        done++;
                    }
                    case Replaced.Moved it -> seen = it.current().record();
                }
            }
            return seen;
        });
        KeyRecord last = store.find(first.id()).record();
        assertEquals(first.token() + CALLERS * 5, last.token());
        assertEquals(first.revision() + CALLERS * 5, last.revision());
    }

    @Test
    void a_replace_of_a_key_that_is_gone_writes_nothing() throws SQLException {
        KeyRecord held = Keys.insert(store, Keys.id("k1"));
        sql.execute("delete from semel_key");
        Replaced answer = store.replace(held, Change.of(held, Keys.done("late")));
        assertTrue(assertInstanceOf(Replaced.Moved.class, answer).current() == null);
        assertEquals("0", sql.one("select count(*) from semel_key"));
    }

    /** Two processes, few batches at once, the same few keys in ever different batches: no deadlock. */
    @Test
    void writes_that_travel_together_never_block_each_other_for_good() throws Exception {
        String url = freshDatabase();
        JdbcOptions narrow = ContractDatabase.LONG_TIMEOUTS.withPoolSize(8);
        PostgresKeyStore[] stores = {open(url, narrow), open(url, narrow)};
        atOnce(i -> () -> {
            Random random = new Random(i);
            for (int n = 0; n < 100; n++) {
                PostgresKeyStore mine = stores[i % 2];
                KeyId id = Keys.id("k" + random.nextInt(40));
                KeyRecord seen = switch (mine.insert(Keys.claim(id))) {
                    case Inserted.Fresh it -> it.record();
                    case Inserted.Existing it -> it.seen().record();
                    case Inserted.Busy it -> throw new AssertionError("Nobody joins keys here.");
                };
                mine.replace(seen, Change.of(seen, new Next.Free(Keys.HOUR)));
            }
            return true;
        });
        assertEquals("0", Sql.on(url).one("select deadlocks from pg_stat_database where datname = current_database()"));
        assertEquals("40", Sql.on(url).one("select count(*) from semel_key"));
    }

    /** What costs most is the commit, and 64 callers share a few of them. */
    @Test
    void callers_who_come_at_once_share_commits() throws Exception {
        String url = freshDatabase();
        PostgresKeyStore narrow = open(url, ContractDatabase.LONG_TIMEOUTS.withPoolSize(4));
        atOnce(i -> () -> {
            for (int n = 0; n < 20; n++) Keys.put(narrow, "caller " + i + " key " + n, Keys.done("ok"));
            return true;
        });
        assertEquals("1280", Sql.on(url).one("select count(*) from semel_key where state = 2"));
        // Rows of one statement have one time.
        long claims = Long.parseLong(Sql.on(url).one("select count(distinct token) from semel_key"));
        long swaps = Long.parseLong(Sql.on(url).one("select count(distinct since) from semel_key"));
        assertTrue(claims < 640 && swaps < 640, claims + " and " + swaps + " statements for 1280 pairs");
    }

    private static <T> List<T> atOnce(IntFunction<Callable<T>> callers) throws Exception {
        CyclicBarrier start = new CyclicBarrier(CALLERS);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                Callable<T> caller = callers.apply(i);
                running.add(threads.submit(() -> {
                    start.await();
                    return caller.call();
                }));
            }
            List<T> answers = new ArrayList<>();
            for (Future<T> each : running) answers.add(each.get());
            return answers;
        }
    }
}
