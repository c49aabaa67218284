package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.parallel.Isolated;

/** What callers are told when the database does not do as it is asked, and whether it is true. */
@Isolated("It changes a setting of the whole server")
class PostgresAnswersTest extends OnEachPostgres {
    private static final JdbcOptions IMPATIENT =
            JdbcOptions.DEFAULT.withPoolSize(2).withStatementTimeout(Duration.ofSeconds(1));

    @Test
    void a_statement_that_waits_for_too_long_is_cancelled_without_effect() throws SQLException {
        String url = freshDatabase();
        PostgresKeyStore store = open(url, IMPATIENT);
        KeyRecord held = Keys.insert(store, Keys.id("k1"));
        try (Connection other = Sql.on(url).connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("select from semel_key for update");
            assertEquals(Applied.NO, failure(() -> store.replace(held, Change.of(held, Keys.done("x")))));
            other.rollback();
        }
        assertEquals(held, store.find(held.id()).record());
    }

    @Test
    void a_row_that_is_locked_holds_up_others_for_a_while_but_fails_alone() throws Exception {
        String url = freshDatabase();
        PostgresKeyStore store = open(url, IMPATIENT.withConnectionTimeout(Duration.ofSeconds(20)));
        List<KeyRecord> held = new ArrayList<>();
        for (int i = 0; i < 16; i++) held.add(Keys.insert(store, Keys.id("k" + i)));
        List<Future<Boolean>> answers = new ArrayList<>();
        try (Connection other = Sql.on(url).connect();
                Statement statement = other.createStatement();
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            other.setAutoCommit(false);
            statement.execute("select from semel_key where key = 'k7' for update");
            for (KeyRecord each : held)
                answers.add(callers.submit(
                        () -> store.replace(each, Change.of(each, Keys.done("x"))) instanceof Replaced.Swapped));
            for (int i = 0; i < 16; i++) {
                Future<Boolean> answer = answers.get(i);
                if (i == 7) assertThrows(ExecutionException.class, answer::get);
                else assertTrue(answer.get());
            }
            other.rollback();
        }
        assertEquals("15", Sql.on(url).one("select count(*) from semel_key where state = 2"));
    }

    /** The commit is there, and yet not as durable as the server was told to make it. Nobody may build on that. */
    @Test
    void a_commit_that_no_standby_confirms_is_unknown() throws SQLException {
        String url = freshDatabase();
        PostgresKeyStore store = open(url, IMPATIENT);
        Sql server = Sql.on(server().jdbcUrl());
        AtomicInteger key = new AtomicInteger();
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        try {
            server.execute("alter system set synchronous_standby_names = 'absent'", "select pg_reload_conf()");
            // The setting reaches all processes of the server in a moment, nobody can tell when.
            assertEquals(Applied.UNKNOWN, failure(() -> {
                while (System.nanoTime() - deadline < 0) Keys.insert(store, Keys.id("k" + key.incrementAndGet()));
            }));
        } finally {
            server.execute("alter system reset synchronous_standby_names", "select pg_reload_conf()");
        }
        assertEquals(key.toString(), Sql.on(url).one("select count(*) from semel_key"));
    }

    @Test
    void a_database_that_only_reads_refuses_without_effect() throws SQLException {
        String url = freshDatabase();
        KeyRecord held = Keys.insert(open(url), Keys.id("k1"));
        PostgresKeyStore standby = open(url + "&options=-c%20default_transaction_read_only=on");
        assertEquals(held, standby.find(held.id()).record());
        assertEquals(Applied.NO, failure(() -> standby.insert(Keys.claim(Keys.id("k2")))));
        assertEquals(Applied.NO, failure(() -> standby.replace(held, Change.of(held, Keys.done("x")))));
    }

    @Test
    void a_pool_without_a_free_connection_has_sent_nothing() throws SQLException {
        try (HikariDataSource pool = pool(freshDatabase(), true)) {
            pool.setMaximumPoolSize(1);
            PostgresKeyStore store = PostgresKeyStore.open(pool);
            try (Connection taken = pool.getConnection()) {
                assertTrue(taken.isValid(1));
                assertEquals(Applied.NO, failure(() -> store.insert(Keys.claim(Keys.id("k1")))));
            }
            Keys.insert(store, Keys.id("k1"));
        }
    }

    @Test
    void a_callers_pool_commits_whatever_it_does_by_default_and_stays_open() throws SQLException {
        String url = freshDatabase();
        try (HikariDataSource pool = pool(url, false)) {
            try (PostgresKeyStore store = PostgresKeyStore.open(pool)) {
                Keys.put(store, "k1", Keys.done("x"));
                assertEquals("2", Sql.on(url).one("select state from semel_key"));
            }
            try (Connection connection = pool.getConnection()) {
                assertEquals(false, connection.getAutoCommit());
            }
        }
    }

    @Test
    void a_closed_store_answers_no_more() throws SQLException {
        PostgresKeyStore store = open(freshDatabase());
        store.close();
        assertEquals(Applied.NO, failure(() -> store.insert(Keys.claim(Keys.id("k1")))));
        assertEquals(Applied.NO, failure(store::now));
    }

    @Test
    void what_the_address_says_about_the_driver_wins() throws SQLException {
        String url = freshDatabase();
        PostgresKeyStore store = open(url + "&ApplicationName=cashier");
        String names = "select string_agg(distinct application_name, ' ') from pg_stat_activity"
                + " where datname = current_database() and pid <> pg_backend_pid()"
                + " and backend_type = 'client backend'";
        assertEquals("cashier", Sql.on(url).one(names));
        store.close();
        open(url);
        assertTrue(Sql.on(url).one(names).contains("semel"));
    }

    private static Applied failure(Executable call) {
        return assertThrows(StoreException.class, call).applied();
    }

    private static HikariDataSource pool(String url, boolean autoCommit) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setAutoCommit(autoCommit);
        config.setConnectionTimeout(250);
        return new HikariDataSource(config);
    }
}
