package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.core.Codec;
import dev.semel.core.InProgressException;
import dev.semel.core.Once;
import dev.semel.core.Operation;
import dev.semel.core.Semel;
import dev.semel.core.store.StoreException;
import dev.semel.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What drivers, pools and sessions can be set to, and what callers do to their transactions: joining keeps its word. */
class JoiningUnderOddSettingsTest extends OnEachPostgres {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private String url;
    private Sql sql;
    private Semel semel;
    private Operation<String> charge;

    @BeforeEach
    void open() throws SQLException {
        url = freshDatabase();
        semel = Semel.on(open(url, ContractDatabase.LONG_TIMEOUTS))
                .sweepEvery(Duration.ZERO)
                .start();
        sql = Sql.on(url);
        sql.execute("create table ledger (key text not null)");
        charge = semel.operation("charge", Codec.text()).withWaitFor(Duration.ofMinutes(5));
    }

    @AfterEach
    void close() {
        threads.close();
        semel.close();
    }

    private Connection begin(String... settings) throws SQLException {
        StringBuilder address = new StringBuilder(url);
        for (String each : settings) address.append('&').append(each);
        Connection connection = DriverManager.getConnection(address.toString());
        connection.setAutoCommit(false);
        return connection;
    }

    private static String pay(Connection connection, String key) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into ledger values (?)")) {
            insert.setString(1, key);
            insert.executeUpdate();
        }
        return "receipt of " + key;
    }

    private String once(Connection connection, String key) throws SQLException {
        return charge.joining(connection).once(key, "10 EUR", attempt -> pay(connection, key));
    }

    private void assertPaid(int times, String key) throws SQLException {
        assertEquals("" + times, sql.one("select count(*) from ledger where key = '" + key + "'"));
        assertEquals("" + times, sql.one("select count(*) from semel_key where key = '" + key + "'"));
    }

    private void awaitWaiting() throws SQLException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (sql.one("select count(*) from pg_stat_activity where datname = current_database()"
                        + " and wait_event_type = 'Lock'")
                .equals("0")) {
            assertTrue(System.nanoTime() < deadline, "nobody waits");
            Thread.onSpinWait();
        }
    }

    private static void say(Connection connection, String statement) throws SQLException {
        try (Statement it = connection.createStatement()) {
            it.execute(statement);
        }
    }

    @Test
    void a_driver_in_any_mode_joins() throws SQLException {
        for (String mode : List.of(
                "preferQueryMode=simple",
                "preferQueryMode=extendedForPrepared",
                "prepareThreshold=1",
                "prepareThreshold=0",
                "binaryTransfer=false",
                "stringtype=unspecified",
                "autosave=always",
                "autosave=conservative")) {
            for (int i = 0; i < 2; i++)
                try (Connection connection = begin(mode)) {
                    assertEquals("receipt of " + mode, once(connection, mode));
                    connection.commit();
                }
            assertPaid(1, mode);
        }
    }

    @Test
    void a_pooled_connection_joins_and_goes_back_clean() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            for (int i = 0; i < 3; i++)
                try (Connection connection = pool.getConnection()) {
                    connection.setAutoCommit(false);
                    once(connection, "o-1");
                    if (i > 0) connection.commit();
                }
        }
        assertPaid(1, "o-1");
    }

    /** Such a driver undoes only the statement that failed, and would then commit the effect alone. */
    @Test
    void with_a_driver_that_mends_failed_transactions_an_effect_without_its_outcome_is_not_committed()
            throws SQLException {
        sql.execute("alter table semel_key add constraint no_outcomes check (key <> 'o-1')");
        try (Connection connection = begin("autosave=always")) {
            assertThrows(StoreException.class, () -> once(connection, "o-1"));
            assertThrows(SQLException.class, connection::commit);
        }
        assertPaid(0, "o-1");
    }

    @Test
    void where_even_the_refusal_to_commit_is_refused_the_connection_is_cut_off() throws SQLException {
        sql.execute("drop table semel_rollback_only");
        try (Connection connection = begin("autosave=always")) {
            assertThrows(
                    IllegalStateException.class,
                    () -> charge.joining(connection).once("o-1", "10 EUR", attempt -> {
                        pay(connection, "o-1");
                        throw new IllegalStateException("after the effect");
                    }));
            assertThrows(SQLException.class, connection::commit);
        }
        assertPaid(0, "o-1");
    }

    @Test
    void a_session_that_leaves_triggers_out_cannot_commit_half_an_effect() throws SQLException {
        try (Connection connection = begin()) {
            say(connection, "set local session_replication_role = replica");
            assertThrows(
                    IllegalStateException.class,
                    () -> charge.joining(connection).once("o-1", "10 EUR", attempt -> {
                        pay(connection, "o-1");
                        throw new IllegalStateException("after the effect");
                    }));
            assertThrows(SQLException.class, connection::commit);
        }
        assertPaid(0, "o-1");
    }

    @Test
    void constraints_that_are_checked_at_once_change_nothing() throws SQLException {
        for (String mode : List.of("autosave=never", "autosave=always"))
            try (Connection connection = begin(mode)) {
                say(connection, "set constraints all immediate");
                assertThrows(
                        IllegalStateException.class,
                        () -> charge.joining(connection).once("o-1", "10 EUR", attempt -> {
                            pay(connection, "o-1");
                            throw new IllegalStateException("after the effect");
                        }));
                try {
                    connection.commit();
                } catch (SQLException e) {
                    // Also fine. A failed transaction is rolled back, and not every driver says so.
                }
            }
        assertPaid(0, "o-1");
    }

    @Test
    void a_statement_timeout_of_the_callers_ends_the_wait_and_not_the_transaction() throws Exception {
        try (Connection first = begin();
                Connection second = begin()) {
            once(first, "o-1");
            say(second, "set local statement_timeout = '400ms'");
            assertThrows(InProgressException.class, () -> once(second, "o-1"));
            once(second, "o-2");
            second.commit();
            first.commit();
        }
        assertPaid(1, "o-1");
        assertPaid(1, "o-2");
    }

    @Test
    void under_repeatable_read_one_who_waited_runs_nothing_and_keeps_its_transaction() throws Exception {
        for (int isolation : List.of(Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE)) {
            String key = "isolation " + isolation;
            try (Connection first = begin();
                    Connection second = begin()) {
                second.setTransactionIsolation(isolation);
                once(first, key);
                Future<Once<String>> waiter = threads.submit(
                        () -> charge.joining(second).attempt(key, "10 EUR", attempt -> pay(second, key)));
                awaitWaiting();
                first.commit();
                assertInstanceOf(Once.InProgress.class, waiter.get());
                once(second, "after " + key);
                second.commit();
                assertEquals("receipt of " + key, once(second, key), "in a new transaction");
                second.commit();
            }
            assertPaid(1, key);
            assertPaid(1, "after " + key);
        }
    }

    @Test
    void a_savepoint_takes_the_claim_back_with_the_effect() throws SQLException {
        try (Connection first = begin();
                Connection second = begin()) {
            Savepoint before = first.setSavepoint();
            once(first, "o-1");
            first.rollback(before);
            Operation<String> hasty = charge.withWaitFor(Duration.ZERO);
            hasty.joining(second).once("o-1", "10 EUR", attempt -> pay(second, "o-1"));
            second.commit();
            assertEquals("receipt of o-1", once(first, "o-1"));
            first.commit();
        }
        assertPaid(1, "o-1");
    }

    /** The effect itself goes back before its own claim: another may have run meanwhile. */
    @Test
    void an_effect_that_gives_its_claim_away_cannot_be_committed_beside_another() throws SQLException {
        try (Connection first = begin();
                Connection second = begin()) {
            Savepoint before = first.setSavepoint();
            assertThrows(
                    InProgressException.class,
                    () -> charge.joining(first).once("o-1", "10 EUR", attempt -> {
                        first.rollback(before);
                        once(second, "o-1");
                        second.commit();
                        return pay(first, "o-1");
                    }));
            assertThrows(SQLException.class, first::commit);
        }
        assertPaid(1, "o-1");
    }

    @Test
    void a_read_only_transaction_replays_and_runs_nothing_that_stays() throws SQLException {
        try (Connection connection = begin()) {
            once(connection, "o-1");
            connection.commit();
        }
        try (Connection connection = begin()) {
            connection.setReadOnly(true);
            assertEquals("receipt of o-1", once(connection, "o-1"));
            assertThrows(
                    StoreException.class, () -> charge.joining(connection).once("o-2", "10 EUR", attempt -> "nothing"));
        }
        assertPaid(0, "o-2");
    }

    @Test
    void another_schema_first_on_the_search_path_keeps_claim_and_outcome_together() throws SQLException {
        sql.execute("create schema mine", "create table mine.ledger (key text)");
        try (Connection connection = begin("currentSchema=mine,public")) {
            once(connection, "o-1");
            connection.commit();
        }
        assertEquals("1", sql.one("select count(*) from mine.ledger"));
        assertEquals("1", sql.one("select count(*) from semel_key"));
        try (Connection connection = begin("currentSchema=mine")) {
            StoreException refused = assertThrows(StoreException.class, () -> once(connection, "o-2"));
            assertTrue(refused.getMessage().contains("not in the database or schema"), refused.getMessage());
        }
    }

    @Test
    void a_thousand_keys_in_one_transaction_are_joined() throws SQLException {
        try (Connection connection = begin()) {
            for (int i = 0; i < 1000; i++) once(connection, "k" + i);
            connection.commit();
        }
        assertEquals("1000", sql.one("select count(*) from semel_key"));
    }

    /** On a server of its own: whoever takes all locks takes them from everybody. */
    @Test
    void more_keys_than_the_server_has_locks_are_an_error_that_says_so() throws SQLException {
        try (Folder folder = Folder.inTarget();
                PostgresServer small = version.start(
                        folder.path(), "max_connections=10", "max_locks_per_transaction=10", "fsync=off")) {
            url = small.jdbcUrl();
            open(url).close();
            sql = Sql.on(url);
            sql.execute("create table ledger (key text not null)");
            try (Connection connection = begin()) {
                StoreException refused = assertThrows(StoreException.class, () -> {
                    for (int i = 0; i < 20_000; i++) once(connection, "k" + i);
                });
                assertTrue(refused.getMessage().contains("max_locks_per_transaction"), refused.getMessage());
            }
            assertEquals("0", sql.one("select count(*) from ledger"));
        }
    }
}
