package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.core.Attempt;
import dev.semel.core.Codec;
import dev.semel.core.FailurePolicy;
import dev.semel.core.KeyReusedException;
import dev.semel.core.Once;
import dev.semel.core.Operation;
import dev.semel.core.OutcomeUnknownException;
import dev.semel.core.Semel;
import dev.semel.core.TransactingOperation;
import dev.semel.core.store.StoreException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operations in a transaction that is begun and committed for them. */
class TransactingTest extends OnEachPostgres {
    static final class Declined extends Exception {
        private static final long serialVersionUID = 1;

        Declined(String message) {
            super(message);
        }
    }

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger runs = new AtomicInteger();
    private String url;
    private Sql sql;
    private Semel semel;
    private HikariDataSource pool;
    private Operation<String> operation;
    private TransactingOperation<String> charge;

    @BeforeEach
    void open() throws SQLException {
        url = freshDatabase();
        semel = Semel.on(open(url, ContractDatabase.LONG_TIMEOUTS))
                .sweepEvery(Duration.ZERO)
                .start();
        sql = Sql.on(url);
        sql.execute("create table ledger (key text not null, run int not null)");
        pool = sql.pool();
        operation = semel.operation("charge", Codec.text())
                .withWaitFor(Duration.ofMinutes(5))
                .withFailures(FailurePolicy.ALL_IN_DOUBT.permanent(Declined.class));
        charge = operation.transacting(pool);
    }

    @AfterEach
    void close() {
        threads.close();
        pool.close();
        semel.close();
    }

    private String pay(Connection transaction, Attempt attempt) throws SQLException {
        int run = runs.incrementAndGet();
        try (PreparedStatement insert = transaction.prepareStatement("insert into ledger values (?, ?)")) {
            insert.setString(1, attempt.key());
            insert.setInt(2, run);
            insert.executeUpdate();
        }
        return "receipt " + run;
    }

    private String once(String key) throws SQLException {
        return charge.once(key, "10 EUR", (attempt, transaction) -> pay(transaction, attempt));
    }

    private void assertKept(int effects, int keys) throws SQLException {
        assertEquals(
                effects + "|" + keys,
                sql.one("select (select count(*) from ledger), (select count(*) from semel_key where state = 2)"));
        assertEquals("0", sql.one("select count(*) from semel_rollback_only"));
    }

    @Test
    void three_attempts_take_effect_once_and_are_committed_when_they_return() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertEquals("receipt 1", once("o-1"));
            assertKept(1, 1);
        }
        assertThrows(
                KeyReusedException.class,
                () -> charge.once("o-1", "11 EUR", (attempt, transaction) -> pay(transaction, attempt)));
        assertEquals(
                "receipt 1",
                operation.joining(begun()).once("o-1", "10 EUR", attempt -> "another"),
                "the same key, joined");
    }

    private Connection begun() throws SQLException {
        Connection connection = pool.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    @Test
    void an_exception_undoes_all_and_the_next_attempt_runs() throws Exception {
        for (Exception thrown : List.of(new IllegalStateException("no"), new SQLException("no"))) {
            Exception seen = assertThrows(
                    Exception.class,
                    () -> charge.once("o-1", "10 EUR", (attempt, transaction) -> {
                        pay(transaction, attempt);
                        throw thrown;
                    }));
            assertSame(thrown, seen);
        }
        assertKept(0, 0);
        assertEquals("receipt 3", once("o-1"));
        assertKept(1, 1);
    }

    @Test
    void a_failure_that_is_an_outcome_is_kept_and_what_was_done_before_it_is_not() throws Exception {
        for (int i = 0; i < 3; i++) {
            Once<String> answer = charge.attempt("o-1", "10 EUR", (attempt, transaction) -> {
                pay(transaction, attempt);
                throw new Declined("no funds");
            });
            Once.Failed<?> failed = assertInstanceOf(Once.Failed.class, answer);
            assertInstanceOf(Declined.class, failed.failure());
            assertEquals(i > 0, failed.replayed());
            assertKept(0, 1);
        }
        assertEquals(1, runs.get());
    }

    @Test
    void where_another_has_written_the_key_meanwhile_nothing_is_committed() throws Exception {
        assertOvertaken(charge, "o-1");
        assertKept(0, 0);
        assertEquals("receipt 2", once("o-1"));
        assertKept(1, 1);
    }

    /** As a holder would do it that does not try the lock. */
    private void assertOvertaken(TransactingOperation<String> charge, String key) {
        Operation<String> notNow = operation.withFailures(FailurePolicy.ALL_IN_DOUBT.transients(Declined.class));
        assertThrows(
                Declined.class,
                () -> notNow.once(key, "10 EUR", attempt -> {
                    throw new Declined("not now");
                }));
        Once<String> answer = assertDoesNotThrow(() -> charge.attempt(key, "10 EUR", (attempt, transaction) -> {
            sql.execute("update semel_key set revision = revision + 1 where key = '" + key + "'");
            return pay(transaction, attempt);
        }));
        assertInstanceOf(Once.InProgress.class, answer, key);
    }

    @Test
    void an_effect_that_ends_the_transaction_itself_is_told_so() throws Exception {
        IllegalStateException told = assertThrows(
                IllegalStateException.class,
                () -> charge.once("o-1", "10 EUR", (attempt, transaction) -> {
                    String receipt = pay(transaction, attempt);
                    transaction.commit();
                    return receipt;
                }));
        assertTrue(told.getMessage().contains("has ended the transaction"), told.getMessage());
        assertKept(1, 0);
    }

    @Test
    void an_effect_that_closes_the_connection_leaves_nothing() throws Exception {
        assertThrows(
                StoreException.class,
                () -> charge.once("o-1", "10 EUR", (attempt, transaction) -> {
                    String receipt = pay(transaction, attempt);
                    transaction.close();
                    return receipt;
                }));
        assertKept(0, 0);
    }

    @Test
    void a_constraint_that_does_not_hold_at_the_commit_leaves_nothing() throws Exception {
        sql.execute("alter table ledger add constraint one_run unique (run) deferrable initially deferred");
        once("o-1");
        StoreException refused = assertThrows(
                StoreException.class,
                () -> charge.once("o-2", "10 EUR", (attempt, transaction) -> {
                    runs.set(0);
                    return pay(transaction, attempt);
                }));
        assertEquals(StoreException.Applied.NO, refused.applied());
        assertTrue(refused.getMessage().contains("one_run"), refused.getMessage());
        assertKept(1, 1);
    }

    @Test
    void a_commit_whose_answer_is_lost_is_unknown_and_the_next_attempt_finds_out() throws Exception {
        for (HeldWire.Hold held : List.of(HeldWire.Hold.REQUEST, HeldWire.Hold.ANSWER)) {
            String key = held.name();
            try (HeldWire wire = HeldWire.to(server().port());
                    Connection connection = DriverManager.getConnection(
                            url.replace(":" + server().port() + "/", ":" + wire.port() + "/"))) {
                connection.setNetworkTimeout(Runnable::run, 300);
                TransactingOperation<String> cut = operation.transacting(Sql.only(connection));
                assertThrows(
                        OutcomeUnknownException.class,
                        () -> cut.once(key, "10 EUR", (attempt, transaction) -> {
                            String receipt = pay(transaction, attempt);
                            wire.holdNext(held);
                            return receipt;
                        }));
            }
            assertEquals("receipt " + (held == HeldWire.Hold.ANSWER ? 3 : 2), once(key));
        }
        assertKept(2, 2);
    }

    @Test
    void a_session_that_dies_before_the_commit_leaves_nothing() throws Exception {
        assertThrows(
                OutcomeUnknownException.class,
                () -> charge.once("o-1", "10 EUR", (attempt, transaction) -> {
                    String receipt = pay(transaction, attempt);
                    sql.execute(
                            "select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction'"
                                    + " and datname = current_database()");
                    return receipt;
                }));
        assertEquals("receipt 2", once("o-1"));
        assertKept(1, 1);
    }

    @Test
    void a_driver_in_any_mode_does_it() throws SQLException {
        int effects = 0;
        for (String mode : List.of(
                "preferQueryMode=simple",
                "preferQueryMode=extendedForPrepared",
                "prepareThreshold=1",
                "prepareThreshold=0",
                "binaryTransfer=false",
                "stringtype=unspecified",
                "autosave=always",
                "autosave=conservative",
                "raiseExceptionOnSilentRollback=false")) {
            try (HikariDataSource other = Sql.on(url + "&" + mode).pool()) {
                TransactingOperation<String> same = operation.transacting(other);
                for (int i = 0; i < 7; i++)
                    same.once(mode + i / 2, "10 EUR", (attempt, transaction) -> pay(transaction, attempt));
                effects += 4;
                assertKept(effects, effects);
                assertOvertaken(same, mode);
                assertKept(effects, effects);
            }
        }
    }

    @Test
    void of_many_duplicates_at_once_one_takes_effect() throws Exception {
        for (int round = 0; round < 5; round++) {
            String key = "round " + round;
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 16; i++) answers.add(threads.submit(() -> once(key)));
            String first = answers.getFirst().get();
            for (Future<String> answer : answers) assertEquals(first, answer.get());
        }
        assertKept(5, 5);
    }

    @Test
    void claim_effect_and_outcome_with_the_commit_are_a_round_trip_each() throws Exception {
        try (HeldWire wire = HeldWire.to(server().port());
                HikariDataSource counted = Sql.on(url.replace(":" + server().port() + "/", ":" + wire.port() + "/"))
                        .pool()) {
            counted.setMaximumPoolSize(1);
            TransactingOperation<String> paying = operation.transacting(counted);
            paying.once("o-0", "10 EUR", (attempt, transaction) -> pay(transaction, attempt));
            int before = wire.requests();
            paying.once("o-1", "10 EUR", (attempt, transaction) -> pay(transaction, attempt));
            assertEquals(3, wire.requests() - before);
        }
    }
}
