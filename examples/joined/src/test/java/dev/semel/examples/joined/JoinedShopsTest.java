package dev.semel.examples.joined;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Codec;
import dev.semel.core.Once;
import dev.semel.core.Operation;
import dev.semel.core.Semel;
import dev.semel.core.time.HandTime;
import dev.semel.store.jdbc.PostgresKeyStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionTemplate;

/** Whatever begins and commits the transaction: the payment is in the ledger once. */
class JoinedShopsTest {
    private static Database database;
    private static PostgresKeyStore store;

    private Semel semel;
    private Operation<String> charge;
    private AnnotationConfigApplicationContext spring;
    private ExecutorService threads;

    enum Kind {
        JDBC,
        TRANSACTING,
        SPRING,
        TRANSACTIONAL,
        JOOQ,
        JDBI
    }

    @Configuration
    @EnableTransactionManagement
    static class Beans {
        @Bean
        PlatformTransactionManager transactions(DataSource source) {
            return new DataSourceTransactionManager(source);
        }

        @Bean
        Shop shop(DataSource source, Operation<String> charge) {
            return new TransactionalShop(source, charge);
        }
    }

    @BeforeAll
    static void start() throws Exception {
        database = Database.start();
        store = PostgresKeyStore.open(database.url());
        database.execute("create table ledger (order_id text not null, cents bigint not null)");
    }

    @AfterAll
    static void stop() {
        store.close();
        database.close();
    }

    @BeforeEach
    void open() throws SQLException {
        database.execute("truncate ledger, semel_key");
        // Time stands still: nobody looks into the store by the clock, so whoever waits here goes on only when it is
        // told.
        semel = Semel.on(store).time(new HandTime()).sweepEvery(Duration.ZERO).start();
        charge = semel.operation("charge", Codec.text()).withWaitFor(Duration.ofMinutes(1));
        spring = new AnnotationConfigApplicationContext();
        spring.getBeanFactory().registerSingleton("pool", database.pool());
        spring.getBeanFactory().registerSingleton("charge", charge);
        spring.register(Beans.class);
        spring.refresh();
        threads = Executors.newVirtualThreadPerTaskExecutor();
    }

    @AfterEach
    void close() {
        threads.close();
        spring.close();
        semel.close();
    }

    private Shop shop(Kind kind) {
        return switch (kind) {
            case JDBC -> new JdbcShop(database.pool(), charge);
            case TRANSACTING -> new TransactingShop(database.pool(), charge);
            case SPRING ->
                new SpringShop(
                        database.pool(),
                        new TransactionTemplate(spring.getBean(PlatformTransactionManager.class)),
                        charge);
            case TRANSACTIONAL -> spring.getBean(Shop.class);
            case JOOQ -> new JooqShop(DSL.using(database.pool(), SQLDialect.POSTGRES), charge);
            case JDBI -> new JdbiShop(Jdbi.create(database.pool()), charge);
        };
    }

    private static void goOn() {}

    private void assertPaidOnce(String order) throws SQLException {
        assertEquals("1", database.one("select count(*) from ledger where order_id = '" + order + "'"));
        assertEquals("1", database.one("select count(*) from semel_key where key = '" + order + "' and state = 2"));
    }

    @ParameterizedTest
    @EnumSource
    void a_fresh_attempt_runs_and_a_duplicate_gets_its_receipt(Kind kind) throws Exception {
        Shop shop = shop(kind);
        assertEquals("receipt for o-1", shop.pay("o-1", 1000, JoinedShopsTest::goOn));
        assertEquals("receipt for o-1", shop.pay("o-1", 1000, JoinedShopsTest::goOn));
        assertPaidOnce("o-1");
    }

    @ParameterizedTest
    @EnumSource
    void a_failure_between_the_effect_and_the_commit_leaves_nothing(Kind kind) throws Exception {
        Shop shop = shop(kind);
        assertThrows(
                IllegalStateException.class,
                () -> shop.pay("o-1", 1000, () -> {
                    throw new IllegalStateException("rolled back");
                }));
        assertEquals("0", database.one("select count(*) from ledger"));
        assertEquals("0", database.one("select count(*) from semel_key"));
        assertEquals("receipt for o-1", shop.pay("o-1", 1000, JoinedShopsTest::goOn));
        assertPaidOnce("o-1");
    }

    /** The session ends as it does when the process dies: nobody says rollback. */
    @ParameterizedTest
    @EnumSource
    void a_crash_between_the_effect_and_the_commit_leaves_nothing(Kind kind) throws Exception {
        Shop shop = shop(kind);
        assertThrows(Exception.class, () -> shop.pay("o-1", 1000, this::endSessionsInTransaction));
        assertEquals("0", database.one("select count(*) from ledger"));
        assertEquals("0", database.one("select count(*) from semel_key"));
        assertEquals("receipt for o-1", shop.pay("o-1", 1000, JoinedShopsTest::goOn));
        assertPaidOnce("o-1");
    }

    private void endSessionsInTransaction() {
        try {
            database.one("select count(pg_terminate_backend(pid)) from pg_stat_activity"
                    + " where state = 'idle in transaction'");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void of_many_at_once_one_runs(Kind kind) throws Exception {
        Shop shop = shop(kind);
        for (int round = 0; round < 5; round++) {
            String order = "round " + round;
            List<Future<String>> receipts = new ArrayList<>();
            for (int i = 0; i < 12; i++)
                receipts.add(threads.submit(() -> shop.pay(order, 1000, JoinedShopsTest::goOn)));
            for (Future<String> receipt : receipts) assertEquals("receipt for " + order, receipt.get());
            assertPaidOnce(order);
        }
    }

    @ParameterizedTest
    @EnumSource
    void those_who_wait_in_this_process_are_told_after_the_commit(Kind kind) throws Exception {
        Shop shop = shop(kind);
        CountDownLatch paid = new CountDownLatch(1);
        CountDownLatch commit = new CountDownLatch(1);
        Future<String> payment = threads.submit(() -> shop.pay("o-1", 1000, () -> {
            paid.countDown();
            awaitQuietly(commit);
        }));
        paid.await();
        Future<Once<String>> waiter = threads.submit(() -> charge.attempt("o-1", 1000L, attempt -> "not this one"));
        while (semel.waitingHere() == 0) Thread.onSpinWait();
        assertFalse(waiter.isDone());
        commit.countDown();
        assertEquals(
                "receipt for o-1",
                assertInstanceOf(Once.Replayed.class, waiter.get()).value());
        assertEquals("receipt for o-1", payment.get());
        assertPaidOnce("o-1");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void without_its_proxy_a_bean_has_no_transaction_and_is_told_so() throws SQLException {
        Shop bare = new TransactionalShop(database.pool(), charge);
        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> bare.pay("o-1", 1000, JoinedShopsTest::goOn));
        assertTrue(refused.getMessage().contains("auto-commit"), refused.getMessage());
        assertEquals("0", database.one("select count(*) from ledger"));
    }
}
