package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Attempt;
import dev.semel.core.Codec;
import dev.semel.core.FailurePolicy;
import dev.semel.core.InProgressException;
import dev.semel.core.Once;
import dev.semel.core.Operation;
import dev.semel.core.Semel;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.JoiningKeyStore;
import dev.semel.core.store.StoreException;
import java.net.ConnectException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every database keeps to that lets an operation be a part of the caller's transaction. */
@Timeout(120)
abstract class JoiningContract {
    static final Duration LONG = Duration.ofMinutes(5);

    static final class Declined extends RuntimeException {
        private static final long serialVersionUID = 1;

        Declined(String message) {
            super(message);
        }
    }

    final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    final AtomicInteger runs = new AtomicInteger();
    String url;
    Sql sql;
    JdbcKeyStore store;
    Semel semel;
    Operation<String> charge;

    /** The address of an empty database that nobody else has. */
    abstract String freshDatabase() throws SQLException;

    abstract JdbcKeyStore open(String url, JdbcOptions options);

    /** Counts sessions of this database that wait for a key. */
    abstract String waiting();

    /** Columns of the table of keys: state, attempt, operation, key. */
    abstract String columns();

    /** Ends the sessions that have a transaction open and say nothing. */
    abstract void endIdleSessions() throws SQLException;

    @BeforeEach
    void open() throws SQLException {
        url = freshDatabase();
        store = open(url, ContractDatabase.LONG_TIMEOUTS.withPoolSize(16));
        semel = Semel.on(store).sweepEvery(Duration.ZERO).start();
        sql = Sql.on(url);
        sql.execute("create table ledger (name varchar(200) not null, run int not null)");
        charge = semel.operation("charge", Codec.text()).withWaitFor(LONG);
    }

    @AfterEach
    void close() {
        threads.close();
        semel.close();
        store.close();
    }

    Connection begin() throws SQLException {
        Connection connection = sql.connect();
        connection.setAutoCommit(false);
        return connection;
    }

    String pay(Connection connection, Attempt attempt) throws SQLException {
        int run = runs.incrementAndGet();
        try (PreparedStatement insert = connection.prepareStatement("insert into ledger values (?, ?)")) {
            insert.setString(1, attempt.key());
            insert.setInt(2, run);
            insert.executeUpdate();
        }
        return "receipt " + run;
    }

    String once(Connection connection, String key) throws SQLException {
        return charge.joining(connection).once(key, "10 EUR", attempt -> pay(connection, attempt));
    }

    String onceAndCommit(String key) throws SQLException {
        try (Connection connection = begin()) {
            String receipt = once(connection, key);
            connection.commit();
            return receipt;
        }
    }

    String ledger() throws SQLException {
        return sql.one("select count(*) from ledger");
    }

    String keys() throws SQLException {
        return sql.one("select count(*) from semel_key");
    }

    /** Until so many sessions wait: an event of the database's that nobody is told of. */
    void awaitWaiting(int sessions) throws SQLException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!sql.one(waiting()).equals("" + sessions)) {
            assertTrue(System.nanoTime() < deadline, "nobody waits");
            Thread.onSpinWait();
        }
    }

    @Test
    void three_attempts_take_effect_once_and_say_the_same() throws Exception {
        for (int i = 0; i < 3; i++) assertEquals("receipt 1", onceAndCommit("o-1"));
        assertEquals("1", ledger());
        assertEquals("2|1|charge|o-1", sql.one("select " + columns() + " from semel_key"));
    }

    @Test
    void twice_in_one_transaction_is_once() throws Exception {
        try (Connection connection = begin()) {
            assertEquals("receipt 1", once(connection, "o-1"));
            assertEquals("receipt 1", once(connection, "o-1"));
            connection.commit();
        }
        assertEquals("1", ledger());
    }

    @Test
    void a_rollback_leaves_nothing_and_the_next_attempt_runs() throws Exception {
        try (Connection connection = begin()) {
            once(connection, "o-1");
            connection.rollback();
        }
        assertEquals("0", ledger());
        assertEquals("0", keys());
        assertEquals("receipt 2", onceAndCommit("o-1"));
        assertEquals("1", ledger());
    }

    @Test
    void a_session_that_dies_leaves_nothing() throws Exception {
        try (Connection connection = begin()) {
            once(connection, "o-1");
            endIdleSessions();
            assertThrows(SQLException.class, connection::commit);
        }
        assertEquals("0", keys());
        assertEquals("receipt 2", onceAndCommit("o-1"));
        assertEquals("1", ledger());
    }

    @Test
    void a_duplicate_waits_inside_the_database_and_gets_what_was_committed() throws Exception {
        try (Connection connection = begin()) {
            once(connection, "o-1");
            List<Future<String>> duplicates = new ArrayList<>();
            for (int i = 0; i < 3; i++) duplicates.add(threads.submit(() -> onceAndCommit("o-1")));
            awaitWaiting(3);
            connection.commit();
            for (Future<String> duplicate : duplicates) assertEquals("receipt 1", duplicate.get());
        }
        assertEquals("1", ledger());
    }

    @Test
    void one_who_was_given_an_outcome_holds_up_nobody_however_long_its_transaction_takes() throws Exception {
        onceAndCommit("o-1");
        try (Connection given = begin();
                Connection other = begin()) {
            assertEquals("receipt 1", once(given, "o-1"));
            for (Duration patience : List.of(Duration.ZERO, LONG)) {
                Operation<String> asking = charge.withWaitFor(patience);
                assertEquals("receipt 1", asking.joining(other).once("o-1", "10 EUR", attempt -> pay(other, attempt)));
            }
            other.commit();
            given.commit();
        }
        assertEquals("1", ledger());
    }

    @Test
    void a_duplicate_runs_when_the_one_it_waited_for_rolls_back() throws Exception {
        try (Connection connection = begin()) {
            once(connection, "o-1");
            Future<String> duplicate = threads.submit(() -> onceAndCommit("o-1"));
            awaitWaiting(1);
            connection.rollback();
            assertEquals("receipt 2", duplicate.get());
        }
        assertEquals("1", ledger());
    }

    @Test
    void a_long_transaction_holds_up_no_claim_of_another_key() throws Exception {
        Operation<String> leased = semel.operation("charge", Codec.text()).withWaitFor(LONG);
        try (Connection connection = begin()) {
            once(connection, "long");
            List<Future<Once<String>>> same = new ArrayList<>();
            List<Future<String>> others = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                String key = "other " + i;
                if (i % 20 == 0)
                    same.add(threads.submit(() -> leased.attempt("long", "10 EUR", attempt -> "not this one")));
                others.add(threads.submit(() -> leased.once(key, "10 EUR", attempt -> key)));
            }
            for (int i = 0; i < 200; i++)
                assertEquals("other " + i, others.get(i).get(30, TimeUnit.SECONDS));
            for (Future<Once<String>> each : same) assertFalse(each.isDone());
            connection.commit();
            charge.committed("long");
            for (Future<Once<String>> each : same)
                assertEquals(
                        "receipt 1",
                        assertInstanceOf(Once.Replayed.class, each.get()).value());
        }
    }

    @Test
    void a_key_that_was_freed_is_taken_up_with_a_higher_token() throws Exception {
        Operation<String> leased = semel.operation("charge", Codec.text())
                .withFailures(FailurePolicy.ALL_IN_DOUBT.transients(Declined.class));
        long[] tokens = new long[2];
        assertThrows(
                Declined.class,
                () -> leased.once("o-1", "10 EUR", attempt -> {
                    tokens[0] = attempt.token();
                    throw new Declined("nothing ran");
                }));
        try (Connection connection = begin()) {
            charge.joining(connection).once("o-1", "10 EUR", attempt -> {
                tokens[1] = attempt.token();
                assertEquals(2, attempt.number());
                // Whoever else wants this row meanwhile does not wait for it.
                return pay(connection, attempt);
            });
            Future<Once<String>> other =
                    threads.submit(() -> leased.withWaitFor(Duration.ZERO).attempt("other", 1, attempt -> "fine"));
            assertInstanceOf(Once.Ran.class, other.get(30, TimeUnit.SECONDS));
            assertThrows(StoreException.class, () -> leased.attempt("o-1", "10 EUR", attempt -> "not this one"));
            connection.commit();
        }
        assertTrue(tokens[1] > tokens[0]);
        assertEquals("receipt 1", leased.once("o-1", "10 EUR", attempt -> "not this one"));
    }

    @Test
    void a_joined_claim_waits_for_a_holder_with_a_lease() throws Exception {
        Operation<String> leased = semel.operation("charge", Codec.text());
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Future<String> holder = threads.submit(() -> leased.once("o-1", "10 EUR", attempt -> {
            running.countDown();
            go.await();
            return "leased";
        }));
        running.await();
        Future<String> joined = threads.submit(() -> onceAndCommit("o-1"));
        while (semel.waitingHere() == 0) Thread.onSpinWait();
        go.countDown();
        assertEquals("leased", joined.get());
        assertEquals("leased", holder.get());
        assertEquals("0", ledger());
    }

    @Test
    void those_who_wait_here_are_told_after_the_commit_and_not_before() throws Exception {
        Operation<String> leased = semel.operation("charge", Codec.text()).withWaitFor(LONG);
        try (Connection connection = begin()) {
            Future<Once<String>> waiter = null;
            once(connection, "o-1");
            waiter = threads.submit(() -> leased.attempt("o-1", "10 EUR", attempt -> "not this one"));
            while (semel.waitingHere() == 0) Thread.onSpinWait();
            assertFalse(waiter.isDone());
            connection.commit();
            charge.committed("o-1");
            assertEquals(
                    "receipt 1",
                    assertInstanceOf(Once.Replayed.class, waiter.get()).value());
        }
    }

    @Test
    void what_an_effect_did_before_it_failed_cannot_be_committed() throws Exception {
        try (Connection connection = begin()) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> charge.joining(connection).once("o-1", "10 EUR", attempt -> {
                        pay(connection, attempt);
                        throw new IllegalArgumentException("after the effect");
                    }));
            assertThrows(SQLException.class, connection::commit);
        }
        assertEquals("0", ledger());
        assertEquals("receipt 2", onceAndCommit("o-1"));
    }

    /** Also where the policy says that nothing ran: what the effect did before is in the transaction. */
    @Test
    void what_an_effect_did_before_it_failed_for_a_while_cannot_be_committed_either() throws Exception {
        Operation<String> patient = charge.withFailures(FailurePolicy.ALL_IN_DOUBT.transients(ConnectException.class));
        try (Connection connection = begin()) {
            assertThrows(
                    ConnectException.class,
                    () -> patient.joining(connection).once("o-1", "10 EUR", attempt -> {
                        pay(connection, attempt);
                        throw new ConnectException("the mail server is away");
                    }));
            assertThrows(SQLException.class, connection::commit);
        }
        assertEquals("0", ledger());
    }

    @Test
    void an_effect_that_ends_the_transaction_itself_is_told_so() throws Exception {
        for (boolean commits : new boolean[] {true, false}) {
            try (Connection connection = begin()) {
                IllegalStateException told = assertThrows(
                        IllegalStateException.class,
                        () -> charge.joining(connection).once("o-" + commits, "10 EUR", attempt -> {
                            String receipt = pay(connection, attempt);
                            if (commits) connection.commit();
                            else connection.rollback();
                            return receipt;
                        }));
                assertTrue(told.getMessage().contains("has ended the transaction"), told.getMessage());
                assertThrows(SQLException.class, connection::commit);
            }
        }
        assertEquals("0", keys());
    }

    @Test
    void a_wait_ends_before_its_connection_counts_as_broken() throws Exception {
        try (Connection first = begin();
                Connection second = begin()) {
            once(first, "o-1");
            second.setNetworkTimeout(Runnable::run, 2000);
            assertThrows(InProgressException.class, () -> once(second, "o-1"));
            assertEquals("receipt 2", once(second, "o-2"));
            second.commit();
            first.rollback();
        }
        assertEquals("1", ledger());
    }

    @Test
    void two_transactions_that_take_up_a_freed_key_one_after_the_other_have_two_tokens() throws Exception {
        Operation<String> leased = semel.operation("charge", Codec.text())
                .withFailures(FailurePolicy.ALL_IN_DOUBT.transients(ConnectException.class));
        long[] tokens = new long[3];
        assertThrows(
                ConnectException.class,
                () -> leased.once("o-1", "10 EUR", attempt -> {
                    tokens[0] = attempt.token();
                    throw new ConnectException("nothing was sent");
                }));
        for (int i = 1; i <= 2; i++) {
            int run = i;
            try (Connection connection = begin()) {
                charge.joining(connection).once("o-1", "10 EUR", attempt -> {
                    tokens[run] = attempt.token();
                    return "receipt";
                });
                connection.rollback();
            }
        }
        assertTrue(tokens[0] < tokens[1] && tokens[1] < tokens[2], Arrays.toString(tokens));
    }

    @Test
    void an_outcome_that_cannot_be_written_undoes_its_effect() throws Exception {
        Operation<String> mute = semel.operation(
                "charge",
                Codec.of(
                        value -> {
                            throw new IllegalArgumentException("no bytes for " + value);
                        },
                        String::new));
        try (Connection connection = begin()) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> mute.joining(connection).once("o-1", "10 EUR", attempt -> pay(connection, attempt)));
            assertThrows(SQLException.class, connection::commit);
        }
        assertEquals("0", ledger());
    }

    @Test
    void a_failure_that_is_an_outcome_is_committed_and_said_again() throws Exception {
        Operation<String> strict = charge.withFailures(FailurePolicy.ALL_IN_DOUBT.permanent(Declined.class));
        for (int i = 0; i < 2; i++) {
            try (Connection connection = begin()) {
                Declined declined = assertThrows(
                        Declined.class,
                        () -> strict.joining(connection).once("o-1", "10 EUR", attempt -> {
                            pay(connection, attempt);
                            throw new Declined("no funds");
                        }));
                assertEquals("no funds", declined.getMessage());
                connection.commit();
            }
        }
        assertEquals("1", ledger());
    }

    @Test
    void the_same_key_inside_itself_runs_nothing_that_stays() throws Exception {
        try (Connection connection = begin()) {
            assertThrows(
                    InProgressException.class,
                    () -> charge.joining(connection).once("o-1", "10 EUR", attempt -> {
                        once(connection, "o-1");
                        return pay(connection, attempt);
                    }));
            assertThrows(SQLException.class, connection::commit);
        }
        assertEquals("0", ledger());
    }

    @Test
    void a_connection_without_a_transaction_is_refused_and_nothing_runs() throws Exception {
        try (Connection connection = sql.connect()) {
            IllegalStateException refused = assertThrows(IllegalStateException.class, () -> once(connection, "o-1"));
            assertTrue(refused.getMessage().contains("auto-commit"), refused.getMessage());
        }
        assertEquals(0, runs.get());
        assertThrows(
                IllegalStateException.class,
                () -> charge.withGuarantee(Guarantee.JOINED).once("o-1", "10 EUR", attempt -> "no transaction"));
    }

    @Test
    void a_database_without_the_tables_is_named_as_such() throws Exception {
        try (Connection elsewhere = Sql.on(freshDatabase()).connect()) {
            elsewhere.setAutoCommit(false);
            StoreException refused = assertThrows(StoreException.class, () -> once(elsewhere, "o-1"));
            assertTrue(refused.getMessage().contains("not in the database"), refused.getMessage());
        }
    }

    @Test
    void of_many_duplicates_at_once_one_takes_effect() throws Exception {
        for (int round = 0; round < 5; round++) {
            String key = "round " + round;
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 16; i++) answers.add(threads.submit(() -> onceAndCommit(key)));
            String first = answers.getFirst().get();
            for (Future<String> answer : answers) assertEquals(first, answer.get());
            assertEquals("1", sql.one("select count(*) from ledger where name = '" + key + "'"));
        }
    }

    @Test
    void a_duplicate_that_has_waited_enough_can_go_on_with_its_transaction() throws Exception {
        for (Duration patience : List.of(Duration.ZERO, Duration.ofMillis(20))) {
            try (Connection first = begin();
                    Connection second = begin();
                    Statement statement = second.createStatement()) {
                once(first, "o-1");
                statement.execute("insert into ledger values ('work before', 0)");
                Operation<String> hasty = charge.withWaitFor(patience);
                assertThrows(
                        InProgressException.class,
                        () -> hasty.joining(second).once("o-1", "10 EUR", attempt -> pay(second, attempt)));
                statement.execute("insert into ledger values ('work after', 0)");
                second.commit();
                first.rollback();
            }
        }
        assertEquals("4", sql.one("select count(*) from ledger where name like 'work%'"));
        assertEquals("0", keys());
    }

    @Test
    void of_two_that_wait_in_a_circle_the_less_patient_is_let_go_and_both_can_commit() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        Operation<String> hasty = charge.withWaitFor(Duration.ofMillis(300));
        Future<String> patient = threads.submit(() -> {
            try (Connection connection = begin()) {
                once(connection, "a");
                both.countDown();
                both.await();
                String second = once(connection, "b");
                connection.commit();
                return second;
            }
        });
        try (Connection connection = begin()) {
            once(connection, "b");
            both.countDown();
            both.await();
            assertThrows(
                    InProgressException.class,
                    () -> hasty.joining(connection).once("a", "10 EUR", attempt -> pay(connection, attempt)));
            connection.commit();
        }
        assertTrue(patient.get().startsWith("receipt "));
        assertEquals("2", ledger());
        assertEquals("2", keys());
    }

    /** Before, the transaction looked at something, and with it at everything, where it goes on seeing what it saw once. */
    @Test
    void a_duplicate_whose_transaction_began_before_the_commit_runs_nothing_that_stays() throws Exception {
        for (int isolation : List.of(
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE)) {
            String key = "isolation " + isolation;
            try (Connection late = begin();
                    Statement statement = late.createStatement()) {
                late.setTransactionIsolation(isolation);
                statement.executeQuery("select count(*) from semel_schema").close();
                String receipt = onceAndCommit(key);
                try {
                    assertEquals(receipt, once(late, key));
                } catch (StoreException refused) {
                    assertTrue(refused.getMessage().contains("must be rolled back"), refused.getMessage());
                }
            }
            assertEquals("1", sql.one("select count(*) from ledger where name = '" + key + "'"));
        }
    }

    @Test
    void two_that_wait_for_a_holder_that_frees_the_key_run_one_after_the_other() throws Exception {
        Operation<String> leased = semel.operation("charge", Codec.text())
                .withFailures(FailurePolicy.ALL_IN_DOUBT.transients(Declined.class));
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Future<String> holder = threads.submit(() -> leased.once("o-1", "10 EUR", attempt -> {
            running.countDown();
            go.await();
            throw new Declined("nothing ran");
        }));
        running.await();
        List<Future<String>> joined = new ArrayList<>();
        for (int i = 0; i < 2; i++) joined.add(threads.submit(() -> onceAndCommit("o-1")));
        while (semel.waitingHere() == 0) Thread.onSpinWait();
        awaitWaiting(1);
        go.countDown();
        assertInstanceOf(
                Declined.class,
                assertThrows(ExecutionException.class, holder::get).getCause());
        for (Future<String> each : joined) assertEquals("receipt 1", each.get());
        assertEquals("1", ledger());
    }

    @Test
    void an_outcome_is_not_recorded_over_what_someone_else_has_written() throws Exception {
        KeyRecord held = Keys.insert(store, Keys.id("k"));
        try (Connection connection = begin()) {
            JoiningKeyStore.Joined.Alone alone = assertInstanceOf(
                    JoiningKeyStore.Joined.Alone.class, store.joining().join(connection, held.id(), Duration.ZERO));
            assertEquals(held, alone.seen().record());
            Keys.replace(store, held, Keys.done("first"));
            Change late = Change.of(held, Keys.done("late"));
            assertNull(store.joining().record(connection, held.id(), held, alone.began(), late));
            connection.rollback();
        }
    }
}
