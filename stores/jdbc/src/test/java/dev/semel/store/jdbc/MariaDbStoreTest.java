package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import dev.semel.core.store.StoreTraits.Survives;
import dev.semel.testkit.StoreScene;
import dev.semel.testkit.mariadb.MariaDbServer;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What only MariaDB can get wrong. */
@ExtendWith(SharedMariaDb.class)
@Timeout(120)
class MariaDbStoreTest {
    private static final int CALLERS = 64;
    private static final JdbcOptions IMPATIENT =
            JdbcOptions.DEFAULT.withPoolSize(16).withConnectionTimeout(Duration.ofMillis(250));
    private static final String ROWS = "select convert(client_key using utf8mb4), state, if(state = 2 and"
            + " convert(substring(outcome, 2) using utf8mb4) = convert(client_key using utf8mb4), 't', 'f') from"
            + " semel_key";

    @Test
    void of_many_at_one_key_one_is_first_and_nobody_ends_in_a_deadlock() throws Exception {
        String url = SharedMariaDb.freshDatabase();
        try (MariaDbKeyStore store = MariaDbKeyStore.open(url, ContractDatabase.LONG_TIMEOUTS.withPoolSize(CALLERS))) {
            for (int round = 0; round < 20; round++) {
                KeyId id = Keys.id("round " + round);
                List<Inserted> answers = StoreScene.together(
                        CALLERS, i -> store.insert(new NewKey(id, Keys.FINGERPRINT, "holder " + i, Keys.LEASE)));
                List<KeyRecord> fresh = answers.stream()
                        .filter(Inserted.Fresh.class::isInstance)
                        .map(it -> ((Inserted.Fresh) it).record())
                        .toList();
                assertEquals(1, fresh.size());
                KeyRecord held = fresh.getFirst();
                for (Inserted answer : answers)
                    if (answer instanceof Inserted.Existing it)
                        assertEquals(held, it.seen().record());
                List<Replaced> swaps =
                        StoreScene.together(CALLERS, i -> store.replace(held, Change.of(held, Keys.done("by " + i))));
                assertEquals(
                        1,
                        swaps.stream()
                                .filter(Replaced.Swapped.class::isInstance)
                                .count());
            }
        }
    }

    /** Each transaction writes several keys that others write too, in whatever order their callers come. */
    @Test
    void batches_that_share_keys_wait_for_each_other_and_lose_nothing() throws Exception {
        String url = SharedMariaDb.freshDatabase();
        try (MariaDbKeyStore store = MariaDbKeyStore.open(url, ContractDatabase.LONG_TIMEOUTS.withPoolSize(CALLERS))) {
            KeyRecord[] first = new KeyRecord[8];
            for (int i = 0; i < first.length; i++) first[i] = Keys.insert(store, Keys.id("k" + i));
            StoreScene.together(CALLERS, caller -> {
                for (int i = 0; i < 20; i++) add(store, first[(caller + i * 3) % first.length]);
                return null;
            });
            long grown = 0;
            for (KeyRecord each : first) grown += store.find(each.id()).record().token() - each.token();
            assertEquals(CALLERS * 20, grown);
        }
    }

    private static void add(MariaDbKeyStore store, KeyRecord from) {
        KeyRecord seen = store.find(from.id()).record();
        while (true) {
            Change more = new Change(seen.fingerprint(), seen.token() + 1, 1, new Next.Free(Keys.HOUR));
            switch (store.replace(seen, more)) {
                case Replaced.Swapped it -> {
                    return;
                }
                case Replaced.Moved it -> seen = it.current().record();
            }
        }
    }

    @Test
    void what_was_acknowledged_survives_kill_9_and_what_was_refused_never_shows_up() throws Exception {
        try (Folder folder = Folder.inTarget();
                MariaDbServer server = MariaDbServer.start(folder.path());
                MariaDbKeyStore store = MariaDbKeyStore.open(server.jdbcUrl(), IMPATIENT);
                WriteHistory history = WriteHistory.of(store, 32)) {
            assertEquals(Survives.POWER_LOSS, store.traits().survives());
            for (int crash = 0; crash < 3; crash++) {
                history.awaitAcknowledged(1000);
                server.kill9();
                history.awaitFailures(32);
                server.restart();
            }
            history.awaitAcknowledged(500);
            history.stop();
            assertTrue(history.lost() > 0, "no write was under way when the server died");
            assertTrue(history.refused() > 0, "nobody asked while the server was down");
            history.checkAgainst(Sql.on(server.jdbcUrl()), ROWS);
        }
    }

    @Test
    void a_server_that_hangs_is_refused_in_bounded_time_and_comes_back_by_itself() throws Exception {
        try (Folder folder = Folder.inTarget();
                MariaDbServer server = MariaDbServer.start(folder.path());
                MariaDbKeyStore store = MariaDbKeyStore.open(server.jdbcUrl())) {
            KeyRecord held = Keys.insert(store, Keys.id("before"));
            server.pause();
            long began = System.nanoTime();
            assertEquals(
                    Applied.UNKNOWN,
                    assertThrows(StoreException.class, () -> store.insert(Keys.claim(Keys.id("hung"))))
                            .applied());
            assertThrows(StoreException.class, () -> store.find(held.id()));
            long took = Duration.ofNanos(System.nanoTime() - began).toSeconds();
            assertTrue(took < 8, took + " s");
            server.resume();
            while (true) {
                try {
                    assertEquals(held, store.find(held.id()).record());
                    break;
                } catch (StoreException stillRefused) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    @Test
    void a_row_that_a_caller_has_locked_holds_up_no_other_key() throws Exception {
        String url = SharedMariaDb.freshDatabase();
        try (MariaDbKeyStore store = MariaDbKeyStore.open(url);
                Connection other = Sql.on(url).connect();
                Statement statement = other.createStatement()) {
            KeyRecord locked = Keys.insert(store, Keys.id("locked"));
            KeyRecord free = Keys.insert(store, Keys.id("free"));
            other.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            other.setAutoCommit(false);
            statement.execute("select * from semel_key where client_key = 'locked' for update");
            StoreException refused =
                    assertThrows(StoreException.class, () -> store.replace(locked, Change.of(locked, Keys.done("ok"))));
            assertEquals(Applied.NO, refused.applied());
            assertInstanceOf(Replaced.Swapped.class, store.replace(free, Change.of(free, Keys.done("ok"))));
            other.rollback();
            assertInstanceOf(Replaced.Swapped.class, store.replace(locked, Change.of(locked, Keys.done("ok"))));
        }
    }

    @Test
    void an_outcome_of_the_largest_size_is_kept() throws Exception {
        String url = SharedMariaDb.freshDatabase();
        try (MariaDbKeyStore store = MariaDbKeyStore.open(url, ContractDatabase.LONG_TIMEOUTS)) {
            long largest = store.traits().largestOutcome();
            assertTrue(largest > 4_000_000, largest + " bytes");
            byte[] quotes = new byte[(int) largest - 1];
            Arrays.fill(quotes, (byte) '\'');
            Outcome outcome = Outcome.of(quotes);
            KeyRecord held = Keys.insert(store, Keys.id("large"));
            Keys.replace(store, held, new Next.Done(outcome, Keys.HOUR, Keys.HOUR));
            KeyState.Done done = assertInstanceOf(
                    KeyState.Done.class, store.find(held.id()).record().state());
            assertEquals(outcome, done.outcome());
        }
    }

    /** Whatever zone a session is in, and however its clock changes there. */
    @Test
    void the_zone_of_a_session_moves_no_time() throws Exception {
        String url = SharedMariaDb.freshDatabase();
        try (MariaDbKeyStore store = MariaDbKeyStore.open(url);
                MariaDbKeyStore elsewhere = MariaDbKeyStore.open(url + "&sessionVariables=time_zone='-09:30'")) {
            KeyRecord held = Keys.insert(store, Keys.id("k"));
            assertEquals(held, elsewhere.find(held.id()).record());
            Duration apart = Duration.between(store.now(), elsewhere.now());
            assertTrue(apart.abs().toSeconds() < 10, apart.toString());
        }
    }

    @Test
    void a_pool_whose_connections_take_one_statement_at_a_time_is_refused_with_what_to_do() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(SharedMariaDb.freshDatabase());
        try (HikariDataSource pool = new HikariDataSource(config)) {
            String message = assertThrows(IllegalStateException.class, () -> MariaDbKeyStore.open(pool))
                    .getMessage();
            assertTrue(message.contains("allowMultiQueries=true"), message);
        }
        config.setJdbcUrl(config.getJdbcUrl() + "&allowMultiQueries=true");
        try (HikariDataSource pool = new HikariDataSource(config);
                MariaDbKeyStore store = MariaDbKeyStore.open(pool)) {
            Keys.put(store, "k", Keys.done("ok"));
        }
    }

    @Test
    void wrong_words_for_a_database_are_told_apart() throws Exception {
        String url = SharedMariaDb.freshDatabase();
        String wrong = url.replace("user=root", "user=nobody&password=hush");
        StoreException refused = assertThrows(StoreException.class, () -> MariaDbKeyStore.open(wrong, IMPATIENT));
        assertTrue(refused.getMessage().contains("Access denied"), refused.getMessage());
        assertTrue(!refused.getMessage().contains("hush"), refused.getMessage());
        assertEquals(false, JdbcKeyStore.isUnreachable(refused));
        StoreException nobody = assertThrows(
                StoreException.class,
                () -> MariaDbKeyStore.open("jdbc:mariadb://127.0.0.1:1/semel?user=root", IMPATIENT));
        assertEquals(true, JdbcKeyStore.isUnreachable(nobody));
        assertThrows(IllegalArgumentException.class, () -> JdbcKeyStore.open("jdbc:oracle:thin:@h"));
        MariaDbMigrations.requireKnown("8.0.40");
        MariaDbMigrations.requireKnown("10.6.20-MariaDB-log");
        assertThrows(IllegalStateException.class, () -> MariaDbMigrations.requireKnown("10.5.1-MariaDB"));
        assertThrows(IllegalStateException.class, () -> MariaDbMigrations.requireKnown("5.7.44-log"));
    }

    @Test
    void processes_that_start_at_once_make_the_tables_once() throws Exception {
        String url = SharedMariaDb.freshDatabase();
        String byHand = SharedMariaDb.freshDatabase();
        Sql.on(byHand + "&allowMultiQueries=true").execute(JdbcKeyStore.missingSql(byHand));
        assertEquals("", JdbcKeyStore.missingSql(byHand));
        for (MariaDbKeyStore each :
                StoreScene.together(8, i -> MariaDbKeyStore.open(url, ContractDatabase.LONG_TIMEOUTS.withPoolSize(2))))
            each.close();
        String shape = "select table_name, column_name, column_type from information_schema.columns"
                + " where table_schema = database() order by 1, 2";
        assertEquals(Sql.on(byHand).rows(shape), Sql.on(url).rows(shape));
        assertEquals("2", Sql.on(url).one("select count(*) from semel_schema"));
    }

    /** Not with a new connection, which says a few words of its own first. */
    @Test
    void a_fresh_key_takes_two_round_trips_and_a_duplicate_one() throws Exception {
        String url = SharedMariaDb.freshDatabase();
        try (CountingWire wire = CountingWire.to(url);
                MariaDbKeyStore store = MariaDbKeyStore.open(wire.url(), IMPATIENT.withPoolSize(1))) {
            KeyRecord held = Keys.insert(store, Keys.id("warm"));
            Keys.replace(store, held, Keys.done("ok"));
            assertEquals(1, wire.roundTrips(() -> Keys.insert(store, Keys.id("k"))));
            KeyRecord seen = store.find(Keys.id("k")).record();
            assertEquals(1, wire.roundTrips(() -> Keys.replace(store, seen, Keys.done("ok"))));
            assertEquals(1, wire.roundTrips(() -> store.insert(Keys.claim(Keys.id("k")))));
            assertEquals(1, wire.roundTrips(() -> store.find(Keys.id("k"))));
        }
    }
}
