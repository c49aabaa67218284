package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Codec;
import dev.semel.core.InProgressException;
import dev.semel.core.Once;
import dev.semel.core.Operation;
import dev.semel.core.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Operations inside a transaction of the caller's, on every version. */
@ParameterizedClass
@EnumSource
@ExtendWith(SharedServers.class)
class PostgresJoiningTest extends JoiningContract {
    @Parameter
    PostgresVersion version;

    @Override
    String freshDatabase() throws SQLException {
        return Sql.freshDatabase(SharedServers.of(version));
    }

    @Override
    JdbcKeyStore open(String url, JdbcOptions options) {
        return PostgresKeyStore.open(url, options);
    }

    @Override
    String waiting() {
        return "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    }

    @Override
    String columns() {
        return "state, attempt, operation, key";
    }

    @Override
    void endIdleSessions() throws SQLException {
        sql.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                + " where datname = current_database() and state = 'idle in transaction'");
    }

    @Test
    void a_wait_that_is_over_leaves_the_settings_of_its_session() throws Exception {
        for (Duration patience : List.of(Duration.ZERO, Duration.ofMillis(20))) {
            try (Connection first = begin();
                    Connection second = begin();
                    Statement statement = second.createStatement()) {
                once(first, "o-1");
                statement.execute("set local lock_timeout = '7s'");
                Operation<String> hasty = charge.withWaitFor(patience);
                assertThrows(
                        InProgressException.class,
                        () -> hasty.joining(second).once("o-1", "10 EUR", attempt -> pay(second, attempt)));
                try (var row = statement.executeQuery("show lock_timeout")) {
                    row.next();
                    assertEquals("7s", row.getString(1));
                }
                statement.execute("insert into ledger values ('other work', 0)");
                second.commit();
                first.rollback();
            }
        }
        assertEquals("2", sql.one("select count(*) from ledger where name = 'other work'"));
        assertEquals("0", keys());
    }

    @Test
    void transactions_that_wait_in_a_circle_are_told_so_and_none_is_aborted() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        List<Future<Boolean>> pair = new ArrayList<>();
        for (List<String> keys : List.of(List.of("a", "b"), List.of("b", "a")))
            pair.add(threads.submit(() -> {
                try (Connection connection = begin();
                        Statement statement = connection.createStatement()) {
                    once(connection, keys.getFirst());
                    both.countDown();
                    both.await();
                    boolean second;
                    try {
                        once(connection, keys.getLast());
                        second = true;
                    } catch (InProgressException e) {
                        second = false;
                    }
                    statement.execute("select 1");
                    connection.commit();
                    return second;
                }
            }));
        assertTrue(pair.get(0).get() ^ pair.get(1).get(), "one of them was let go");
        assertEquals("2", ledger());
        assertEquals("2", keys());
    }

    @Test
    void a_server_that_ends_idle_transactions_does_not_end_one_that_waits() throws Exception {
        Operation<String> leased = semel.operation("charge", Codec.text());
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Future<String> holder = threads.submit(() -> leased.once("o-1", "10 EUR", attempt -> {
            running.countDown();
            go.await();
            return "leased";
        }));
        running.await();
        try (Connection connection = begin();
                Statement statement = connection.createStatement()) {
            statement.execute("set local idle_in_transaction_session_timeout = '1800ms'");
            assertThrows(
                    InProgressException.class,
                    () -> charge.withWaitFor(Duration.ofSeconds(3))
                            .joining(connection)
                            .once("o-1", "10 EUR", attempt -> pay(connection, attempt)));
            assertEquals("receipt 1", once(connection, "o-2"));
            connection.commit();
        }
        go.countDown();
        assertEquals("leased", holder.get());
    }

    @Test
    void those_who_wait_for_a_key_that_a_transaction_has_ask_as_one() throws Exception {
        sql.execute("create extension pg_stat_statements");
        Operation<String> leased = semel.operation("charge", Codec.text()).withWaitFor(Duration.ofSeconds(3));
        try (Connection connection = begin()) {
            once(connection, "o-1");
            List<Future<Once<String>>> waiters = new ArrayList<>();
            for (int i = 0; i < 100; i++)
                waiters.add(threads.submit(() -> leased.attempt("o-1", "10 EUR", attempt -> "not this one")));
            while (semel.waitingHere() < 100) Thread.onSpinWait();
            sql.execute("select pg_stat_statements_reset()");
            for (Future<Once<String>> waiter : waiters) assertInstanceOf(Once.InProgress.class, waiter.get());
            long statements = Long.parseLong(sql.one("select sum(calls) from pg_stat_statements where dbid ="
                    + " (select oid from pg_database where datname = current_database())"));
            // A look every tenth of a second, and one of them tries after each: two inserts with two looks.
            assertTrue(statements < 1000, statements + " statements");
            connection.commit();
        }
    }

    @Test
    void under_repeatable_read_a_duplicate_fails_rather_than_runs_twice() throws Exception {
        try (Connection late = begin();
                Statement statement = late.createStatement()) {
            late.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.execute("select 1 from ledger");
            assertEquals("receipt 1", onceAndCommit("o-1"));
            assertThrows(StoreException.class, () -> once(late, "o-1"));
            // After an error the server rolls back also when it is told to commit; not every driver says so.
            late.commit();
        }
        assertEquals("1", ledger());
    }

    @Test
    void two_statements_are_all_that_joining_adds_and_one_for_a_duplicate() throws Exception {
        sql.execute("create extension pg_stat_statements", "select pg_stat_statements_reset()");
        onceAndCommit("o-1");
        String all = "select query, calls from pg_stat_statements where dbid = (select oid from pg_database"
                + " where datname = current_database()) and query not like '%pg_stat%' order by query";
        List<String> statements = new ArrayList<>(sql.rows(all));
        statements.removeIf(it -> it.startsWith("BEGIN")
                || it.startsWith("COMMIT")
                || it.startsWith("insert into ledger")
                || it.startsWith("SET "));
        assertEquals(2, statements.size(), statements.toString());
        onceAndCommit("o-1");
        assertTrue(
                sql.rows(all).stream().anyMatch(it -> it.contains("semel_join") && it.endsWith("|2")),
                sql.rows(all).toString());
        assertTrue(sql.rows(all).stream().anyMatch(it -> it.contains("insert into semel_key") && it.endsWith("|1")));
    }
}
