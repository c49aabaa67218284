package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.core.Codec;
import dev.semel.core.InProgressException;
import dev.semel.core.store.StoreException;
import dev.semel.testkit.mariadb.MariaDbServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations inside a transaction of the caller's, on MariaDB, and what only it can get wrong. */
@ExtendWith(SharedMariaDb.class)
class MariaDbJoiningTest extends JoiningContract {
    private static final int CALLERS = 64;

    @Override
    String freshDatabase() throws SQLException {
        return SharedMariaDb.freshDatabase();
    }

    /** A row that a transaction has holds up a write for half the time that a statement may take. */
    @Override
    JdbcKeyStore open(String url, JdbcOptions options) {
        return MariaDbKeyStore.open(url, options.withStatementTimeout(Duration.ofSeconds(2)));
    }

    @Override
    String waiting() {
        return "select count(*) from information_schema.processlist where db = database() and state = 'User sleep'";
    }

    @Override
    String columns() {
        return "state, attempt, convert(operation using utf8mb4), convert(client_key using utf8mb4)";
    }

    @Override
    void endIdleSessions() throws SQLException {
        for (String session : sql.rows("select id from information_schema.processlist where db = database()"
                + " and command = 'Sleep' and id in (select trx_mysql_thread_id from information_schema.innodb_trx)"))
            sql.execute("kill " + session);
    }

    @AfterEach
    void nothing_is_left_of_reservations() throws SQLException {
        assertEquals("0", sql.one("select count(*) from semel_joining"));
        assertEquals("0", sql.one("select count(*) from semel_key where revision < 0"));
    }

    private Connection begin(String settings) throws SQLException {
        Connection connection = DriverManager.getConnection(url + settings);
        connection.setAutoCommit(false);
        return connection;
    }

    private static void say(Connection connection, String statement) throws SQLException {
        try (Statement it = connection.createStatement()) {
            it.execute(statement);
        }
    }

    private long deadlocks() throws SQLException {
        return Long.parseLong(sql.one("select variable_value from information_schema.global_status"
                + " where variable_name = 'INNODB_DEADLOCKS'"));
    }

    /**
     * Duplicates wait, some of them with a snapshot from before; of those who come first, many roll back. The one table in which
     * rows come and go must not end any of their transactions.
     */
    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void of_many_at_one_key_nobody_ends_in_a_deadlock_however_many_roll_back(int isolation) throws Exception {
        long seed = ThreadLocalRandom.current().nextLong();
        System.out.println("MariaDbJoiningTest: semel.seed=" + seed);
        long before = deadlocks();
        List<Future<String>> answers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            Random random = new Random(seed + i);
            answers.add(threads.submit(() -> onceAfterRollbacks(isolation, random)));
        }
        String receipt = answers.getFirst().get();
        for (Future<String> answer : answers) assertEquals(receipt, answer.get(), "seed " + seed);
        assertEquals("1", ledger());
        assertEquals("1", keys());
        assertEquals(before, deadlocks());
    }

    private String onceAfterRollbacks(int isolation, Random random) throws SQLException {
        try (Connection connection = sql.connect()) {
            connection.setTransactionIsolation(isolation);
            connection.setAutoCommit(false);
            for (int rollbacks = random.nextInt(4); ; rollbacks--) {
                if (isolation != Connection.TRANSACTION_SERIALIZABLE && random.nextBoolean())
                    say(connection, "select count(*) from ledger");
                String receipt = once(connection, "hot");
                if (rollbacks <= 0) {
                    connection.commit();
                    return receipt;
                }
                connection.rollback();
            }
        }
    }

    /** Where it is on, as it is from 11.6, a session may not lock what is newer than its snapshot: its transaction is rolled back. */
    @Test
    void a_duplicate_whose_snapshot_is_older_is_told_the_outcome_also_with_snapshot_isolation() throws Exception {
        try (Connection late = begin("&sessionVariables=innodb_snapshot_isolation=1");
                Connection first = begin()) {
            say(late, "insert into ledger values ('before', 0)");
            say(late, "select count(*) from ledger");
            once(first, "o-1");
            Future<String> told = threads.submit(() -> once(late, "o-1"));
            awaitWaiting(1);
            first.commit();
            assertEquals("receipt 1", told.get());
            late.commit();
        }
        assertEquals("2", ledger());
    }

    @Test
    void keys_beside_each_other_are_joined_beside_each_other() throws Exception {
        List<Connection> open = new ArrayList<>();
        try {
            for (int i = 0; i < CALLERS; i++) {
                Connection connection = begin();
                open.add(connection);
                String key = "k" + i;
                charge.withWaitFor(Duration.ZERO).joining(connection).once(key, 1, attempt -> pay(connection, attempt));
            }
            for (Connection each : open) each.commit();
        } finally {
            for (Connection each : open) each.close();
        }
        assertEquals("" + CALLERS, keys());
    }

    @Test
    void an_effect_that_keeps_a_deadlock_to_itself_is_told_that_its_transaction_is_gone() throws Exception {
        sql.execute(
                "create table account (id int primary key, balance int)", "insert into account values (1, 0), (2, 0)");
        CountDownLatch both = new CountDownLatch(2);
        Future<?> other = threads.submit(() -> {
            try (Connection connection = begin()) {
                // Heavier than the other: of two in a circle InnoDB ends the lighter one.
                for (int i = 0; i < 100; i++) say(connection, "insert into ledger values ('ballast', 0)");
                say(connection, "update account set balance = 1 where id = 2");
                both.countDown();
                both.await();
                say(connection, "update account set balance = 1 where id = 1");
                connection.rollback();
            }
            return null;
        });
        try (Connection connection = begin()) {
            IllegalStateException told = assertThrows(
                    IllegalStateException.class,
                    () -> charge.joining(connection).once("o-1", "10 EUR", attempt -> {
                        say(connection, "update account set balance = 2 where id = 1");
                        both.countDown();
                        both.await();
                        assertEquals(
                                1213,
                                assertThrows(
                                                SQLException.class,
                                                () -> say(connection, "update account set balance = 2 where id = 2"))
                                        .getErrorCode());
                        return pay(connection, attempt);
                    }));
            assertTrue(told.getMessage().contains("because of a deadlock"), told.getMessage());
            assertThrows(SQLException.class, connection::commit);
        }
        other.get();
        assertEquals("0", ledger());
        assertEquals("0", keys());
    }

    @Test
    void a_statement_that_commits_in_an_effect_is_noticed() throws Exception {
        try (Connection connection = begin()) {
            assertThrows(
                    IllegalStateException.class,
                    () -> charge.joining(connection).once("o-1", "10 EUR", attempt -> {
                        say(connection, "create table more (id int)");
                        return pay(connection, attempt);
                    }));
            assertThrows(SQLException.class, connection::commit);
        }
        assertEquals("0", ledger());
    }

    @Test
    void a_savepoint_takes_the_claim_back_with_the_effect() throws SQLException {
        try (Connection first = begin();
                Connection second = begin()) {
            Savepoint before = first.setSavepoint();
            once(first, "o-1");
            first.rollback(before);
            charge.withWaitFor(Duration.ZERO).joining(second).once("o-1", "10 EUR", attempt -> pay(second, attempt));
            second.commit();
            assertEquals("receipt 2", once(first, "o-1"));
            first.commit();
        }
        assertEquals("1", ledger());
    }

    /** The effect itself goes back before its own claim: another may have run meanwhile. */
    @Test
    void an_effect_that_gives_its_claim_away_cannot_be_committed_beside_another() throws SQLException {
        try (Connection first = begin();
                Connection second = begin()) {
            Savepoint before = first.setSavepoint();
            assertThrows(
                    IllegalStateException.class,
                    () -> charge.joining(first).once("o-1", "10 EUR", attempt -> {
                        first.rollback(before);
                        once(second, "o-1");
                        second.commit();
                        return pay(first, attempt);
                    }));
            assertThrows(SQLException.class, first::commit);
        }
        assertEquals("1", ledger());
    }

    /** A pool would hand on what was left open; one that is cut off is replaced. */
    @Test
    void a_pool_lives_on_after_effects_that_failed() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            for (int i = 0; i < 3; i++)
                try (Connection connection = pool.getConnection()) {
                    connection.setAutoCommit(false);
                    assertThrows(
                            Declined.class,
                            () -> charge.joining(connection).once("o-1", "10 EUR", attempt -> {
                                pay(connection, attempt);
                                throw new Declined("after the effect");
                            }));
                    assertThrows(SQLException.class, connection::commit);
                }
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                assertEquals("receipt 4", once(connection, "o-1"));
                connection.commit();
            }
        }
        assertEquals("1", ledger());
    }

    @Test
    void a_driver_and_a_session_set_up_in_any_way_join() throws SQLException {
        for (String settings : List.of(
                "&useServerPrepStmts=true",
                "&allowMultiQueries=true",
                "&useAffectedRows=true",
                "&sessionVariables=sql_mode='ANSI_QUOTES,NO_BACKSLASH_ESCAPES'",
                "&sessionVariables=sql_mode=''",
                "&sessionVariables=time_zone='-09:30'",
                "&sessionVariables=innodb_lock_wait_timeout=1",
                "&sessionVariables=max_statement_time=2"))
            for (int i = 0; i < 2; i++)
                try (Connection connection = begin(settings)) {
                    assertTrue(once(connection, settings).startsWith("receipt "));
                    connection.commit();
                }
        assertEquals("8", ledger());
        assertEquals("8", keys());
        try (Connection connection = begin("&sessionVariables=sql_mode=ORACLE")) {
            String why = assertThrows(StoreException.class, () -> once(connection, "oracle"))
                    .getMessage();
            assertTrue(why.contains("sql_mode=ORACLE"), why);
        }
    }

    @Test
    void a_statement_timeout_of_the_callers_ends_the_wait_and_not_the_transaction() throws Exception {
        try (Connection first = begin();
                Connection second = begin("&sessionVariables=max_statement_time=0.4")) {
            once(first, "o-1");
            assertThrows(InProgressException.class, () -> once(second, "o-1"));
            once(second, "o-2");
            second.commit();
            first.commit();
        }
        assertEquals("2", ledger());
    }

    @Test
    void a_thousand_keys_in_one_transaction_are_joined() throws SQLException {
        try (Connection connection = begin()) {
            for (int i = 0; i < 1000; i++) once(connection, "k" + i);
            connection.commit();
        }
        assertEquals("1000", keys());
    }

    @Test
    void an_outcome_of_the_largest_size_is_recorded() throws SQLException {
        int largest = Math.toIntExact(store.traits().largestOutcome()) - 1000;
        String large = "'\\".repeat(largest / 2);
        for (int i = 0; i < 2; i++)
            try (Connection connection = begin()) {
                assertEquals(large, charge.joining(connection).once("large", 1, attempt -> large));
                connection.commit();
            }
    }

    @Test
    void two_round_trips_are_all_that_joining_adds_and_one_for_a_duplicate() throws Exception {
        try (CountingWire wire = CountingWire.to(url);
                Connection connection = DriverManager.getConnection(wire.url())) {
            connection.setAutoCommit(false);
            try (PreparedStatement bare = connection.prepareStatement("insert into ledger values ('bare', 0)")) {
                assertEquals(2, wire.roundTrips(() -> {
                    bare.executeUpdate();
                    connection.commit();
                }));
            }
            assertEquals(4, wire.roundTrips(() -> {
                once(connection, "o-1");
                connection.commit();
            }));
            assertEquals(1, wire.roundTrips(() -> once(connection, "o-1")));
        }
    }

    @Test
    void a_server_that_rolls_back_all_when_a_wait_is_over_joins_nothing() throws Exception {
        try (Folder folder = Folder.inTarget();
                MariaDbServer server = MariaDbServer.start(folder.path(), "--innodb-rollback-on-timeout=1");
                MariaDbKeyStore there = MariaDbKeyStore.open(server.jdbcUrl())) {
            assertFalse(there.traits().joins());
            assertNull(there.joining());
        }
    }

    /** Also before anything is recorded of it. */
    @Test
    void a_claim_with_a_lease_keeps_out_while_a_transaction_has_the_key() throws Exception {
        try (Connection connection = begin()) {
            charge.joining(connection).once("o-1", "10 EUR", attempt -> {
                assertThrows(
                        InProgressException.class,
                        () -> semel.operation("charge", Codec.text())
                                .withWaitFor(Duration.ZERO)
                                .once("o-1", "10 EUR", other -> "not this one"));
                return pay(connection, attempt);
            });
            connection.commit();
        }
        assertEquals("1", ledger());
    }
}
