package dev.semel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.FailurePolicy;
import dev.semel.core.OutcomeUnknownException;
import dev.semel.core.Semel;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

class JoinedTest {
    record Entry(int id) {}

    static class Declined extends RuntimeException {
        private static final long serialVersionUID = 1;

        Declined(String message) {
            super(message);
        }
    }

    /** As an entity whose version is counted when it is written. */
    static class Versioned {
        public int version;
    }

    static class Ledger {
        private final JdbcTemplate jdbc;

        Ledger(DataSource source) {
            this.jdbc = new JdbcTemplate(source);
        }

        @Once(key = "#what", guarantee = Guarantee.JOINED)
        @Transactional
        public Entry append(String what) {
            return new Entry(
                    jdbc.queryForObject("insert into ledger (what) values (?) returning id", Integer.class, what));
        }

        @Once(key = "#what", guarantee = Guarantee.JOINED)
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public Entry appendAlone(String what) {
            return new Entry(
                    jdbc.queryForObject("insert into ledger (what) values (?) returning id", Integer.class, what));
        }

        @Once(key = "#what", guarantee = Guarantee.JOINED)
        @Transactional
        public Entry fail(String what, boolean checked) throws IOException {
            jdbc.update("insert into ledger (what) values (?)", what);
            if (checked) throw new IOException("the disk is full");
            throw new IllegalArgumentException("no");
        }

        @Once(key = "#what", guarantee = Guarantee.JOINED)
        @Transactional(propagation = Propagation.SUPPORTS)
        public Entry perhaps(String what) {
            jdbc.update("insert into ledger (what) values (?)", what);
            return new Entry(0);
        }

        @Once(key = "#what", guarantee = Guarantee.JOINED)
        @Transactional
        public Versioned version(String what) {
            Versioned entity = new Versioned();
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void flush() {
                    entity.version++;
                }
            });
            return entity;
        }

        @Once(key = "#what", guarantee = Guarantee.JOINED)
        @Transactional
        public void decline(String what) {
            jdbc.update("insert into ledger (what) values (?)", what);
            throw new Declined("no");
        }

        @Once(key = "#what", guarantee = Guarantee.JOINED)
        @Transactional(noRollbackFor = Declined.class)
        public void declineForGood(String what) {
            jdbc.update("insert into ledger (what) values (?)", what);
            throw new Declined("no");
        }

        @Once(key = "#what")
        public boolean plain(String what) {
            return jdbc.update("insert into ledger (what) values (?)", what) == 1;
        }

        @Once(key = "#what")
        @Transactional
        public boolean participating(String what) {
            return plain(what, jdbc);
        }

        @Once(key = "#what")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public boolean alone(String what) {
            return plain(what, jdbc);
        }

        private static boolean plain(String what, JdbcTemplate jdbc) {
            return jdbc.update("insert into ledger (what) values (?)", what) == 1;
        }

        @Once(key = "#what")
        @Transactional
        public boolean leased(String what) {
            jdbc.update("insert into ledger (what) values (?)", what);
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    throw new IllegalStateException("the commit fails");
                }
            });
            return true;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {
        @Bean
        Ledger ledger(DataSource source) {
            return new Ledger(source);
        }

        @Bean
        FailurePolicy failures() {
            return FailurePolicy.ALL_IN_DOUBT.permanent(Declined.class);
        }
    }

    /** The transaction comes first of all advice, or last of all: neither may matter. */
    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true, order = 0)
    static class TransactionFirst {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class TransactionLast {}

    private static Database database;
    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() throws Exception {
        database = Database.fresh();
        application = Applications.onDatabase(database.url(), Beans.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private final Ledger ledger = application.getBean(Ledger.class);

    private static long rows(String what) throws Exception {
        return database.count("ledger where what = '" + what + "'");
    }

    private static boolean isKnown(String operation, String key) {
        return application.getBean(Semel.class).find(KeyId.of("", operation, key)) != null;
    }

    private static TransactionTemplate transaction() {
        return new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
    }

    @Test
    void effect_and_outcome_commit_together_for_many_at_once() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Entry>> entries = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                String what = "many-" + i % 10;
                entries.add(threads.submit(() -> ledger.append(what)));
            }
            for (int i = 0; i < 40; i++)
                assertEquals(entries.get(i % 10).get(), entries.get(i).get());
        }
        assertEquals(10, database.count("ledger where what like 'many-%'"));
    }

    @Test
    void a_rollback_of_the_caller_leaves_nothing() throws Exception {
        transaction().executeWithoutResult(status -> {
            ledger.append("undone");
            status.setRollbackOnly();
        });
        assertEquals(0, rows("undone"));
        assertTrue(!isKnown("Ledger.append", "undone"));
        ledger.append("undone");
        ledger.append("undone");
        assertEquals(1, rows("undone"));
    }

    /** Were the claim outside, it would join the caller's transaction, and a rollback there would forget it. */
    @Test
    void a_transaction_of_its_own_is_the_one_that_is_joined() throws Exception {
        transaction().executeWithoutResult(status -> {
            ledger.appendAlone("alone");
            status.setRollbackOnly();
        });
        assertEquals(1, rows("alone"));
        ledger.appendAlone("alone");
        assertEquals(1, rows("alone"));
    }

    @Test
    void an_exception_leaves_nothing_also_one_that_spring_would_commit() throws Exception {
        assertThrows(IllegalArgumentException.class, () -> ledger.fail("f", false));
        assertThrows(Exception.class, () -> ledger.fail("f", true));
        assertEquals(0, rows("f"));
        assertTrue(!isKnown("Ledger.fail", "f"));
    }

    @Test
    void without_a_transaction_nothing_runs() throws Exception {
        String said = assertThrows(OnceMisuseException.class, () -> ledger.perhaps("p"))
                .getMessage();
        assertTrue(said.contains("no transaction to join"), said);
        assertEquals(0, rows("p"));
        transaction().executeWithoutResult(status -> ledger.perhaps("p"));
        assertEquals(1, rows("p"));
    }

    @Test
    void the_outcome_of_a_leased_method_is_recorded_only_after_its_commit() throws Exception {
        assertThrows(IllegalStateException.class, () -> ledger.leased("commit-fails"));
        assertEquals(0, rows("commit-fails"));
        assertThrows(OutcomeUnknownException.class, () -> ledger.leased("commit-fails"));
    }

    @Test
    void what_a_flush_changes_is_a_part_of_the_outcome() {
        assertEquals(1, ledger.version("v").version);
        assertEquals(1, ledger.version("v").version);
    }

    @Test
    void a_permanent_failure_is_kept_where_its_transaction_is_and_is_an_error_where_it_is_not() throws Exception {
        String said = assertThrows(OnceMisuseException.class, () -> ledger.decline("d"))
                .getMessage();
        assertTrue(said.contains("noRollbackFor"), said);
        assertEquals(0, rows("d"));
        for (int i = 0; i < 2; i++) assertThrows(Declined.class, () -> ledger.declineForGood("g"));
        assertEquals(1, rows("g"));
    }

    @Test
    void a_leased_method_does_not_run_inside_a_transaction_that_may_still_be_rolled_back() throws Exception {
        for (Consumer<String> each : List.<Consumer<String>>of(ledger::plain, ledger::participating)) {
            String said = assertThrows(
                            OnceMisuseException.class,
                            () -> transaction().executeWithoutResult(status -> each.accept("outer")))
                    .getMessage();
            assertTrue(said.contains("Nothing ran"), said);
            assertEquals(0, rows("outer"));
        }
        transaction().executeWithoutResult(status -> {
            ledger.alone("outer");
            status.setRollbackOnly();
        });
        ledger.alone("outer");
        ledger.plain("outer");
        ledger.participating("outer");
        assertEquals(3, rows("outer"));
    }

    @Test
    void a_transaction_that_only_reads_is_not_joined() throws Exception {
        TransactionTemplate reading = transaction();
        reading.setReadOnly(true);
        String said = assertThrows(
                        OnceMisuseException.class, () -> reading.executeWithoutResult(status -> ledger.append("read")))
                .getMessage();
        assertTrue(said.contains("read-only") && said.contains("Nothing ran"), said);
    }

    @Test
    void the_order_of_advice_does_not_depend_on_the_application() throws Exception {
        for (Class<?> order : List.of(TransactionFirst.class, TransactionLast.class)) {
            Database other = Database.fresh();
            try (ConfigurableApplicationContext started = Applications.onDatabase(other.url(), Beans.class, order)) {
                Ledger own = started.getBean(Ledger.class);
                new TransactionTemplate(started.getBean(PlatformTransactionManager.class))
                        .executeWithoutResult(status -> {
                            own.appendAlone("alone");
                            status.setRollbackOnly();
                        });
                own.appendAlone("alone");
                assertEquals(1, other.count("ledger"));
                assertThrows(IllegalStateException.class, () -> own.leased("l"));
                assertThrows(OutcomeUnknownException.class, () -> own.leased("l"));
            }
        }
    }
}
