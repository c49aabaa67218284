package dev.semel.spring;

import static dev.semel.core.key.Guarantee.JOINED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.messaging.Inbox;
import dev.semel.messaging.message.Message;
import dev.semel.spring.messaging.OutboxMisuseException;
import dev.semel.spring.messaging.OutboxTemplate;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The outbox and the inbox in transactions of Spring. */
@Timeout(60)
class MessagesTest {
    static class Shop {
        private final JdbcTemplate jdbc;
        private final OutboxTemplate outbox;

        Shop(DataSource source, OutboxTemplate outbox) {
            this.jdbc = new JdbcTemplate(source);
            this.outbox = outbox;
        }

        @Once(key = "#order", guarantee = JOINED)
        @Transactional
        public String pay(String order) {
            jdbc.update("insert into ledger (what) values (?)", order);
            return outbox.append(message(order)).toString();
        }
    }

    /** Of resources that are no database. */
    static class Elsewhere extends AbstractPlatformTransactionManager {
        private static final long serialVersionUID = 1;

        @Override
        protected Object doGetTransaction() {
            return "elsewhere";
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {
        @Bean
        Shop shop(DataSource source, OutboxTemplate outbox) {
            return new Shop(source, outbox);
        }

        @Bean(defaultCandidate = false)
        Elsewhere elsewhere() {
            return new Elsewhere();
        }

        @Bean
        PlatformTransactionManager transactionManager(ObjectProvider<DataSource> source) {
            return new DataSourceTransactionManager(source.getObject());
        }
    }

    private static Database database;
    private static ConfigurableApplicationContext application;
    private static JdbcTemplate jdbc;
    private static OutboxTemplate outbox;
    private static TransactionTemplate transaction;

    @BeforeAll
    static void start() throws Exception {
        database = Database.fresh();
        application = Applications.onDatabase(database.url(), Beans.class);
        jdbc = application.getBean(JdbcTemplate.class);
        outbox = application.getBean(OutboxTemplate.class);
        transaction =
                new TransactionTemplate(application.getBean("transactionManager", PlatformTransactionManager.class));
        database.run("""
            create table statements (n serial);
            create function seen() returns trigger language plpgsql as $$
                begin insert into statements default values; return null; end $$;
            create trigger seen after insert on semel.outbox for each statement execute function seen();
            create function refuse() returns trigger language plpgsql as $$
                begin
                    if new.type = 'refused' then
                        raise exception 'not that' using errcode = 'integrity_constraint_violation';
                    end if;
                    return new;
                end $$;
            create trigger refuse before insert on semel.outbox for each row execute function refuse();
            """);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void empty() throws Exception {
        database.run("delete from semel.outbox; delete from statements; delete from ledger");
    }

    private static Message message(String body) {
        return Message.of("orders", "order.paid", body.getBytes(UTF_8)).withKey("order-1");
    }

    private static void write(String what) {
        jdbc.update("insert into ledger (what) values (?)", what);
    }

    /** What a relay would send, in order. */
    private static List<String> waiting() {
        return jdbc.queryForList("select convert_from(payload, 'UTF8') from semel.outbox order by id", String.class);
    }

    private static TransactionTemplate nested(int propagation) {
        TransactionTemplate nested = new TransactionTemplate(transaction.getTransactionManager());
        nested.setPropagationBehavior(propagation);
        return nested;
    }

    private static void refused(String said, Runnable act) {
        String message = assertThrows(OutboxMisuseException.class, act::run).getMessage();
        assertTrue(message.contains(said), message);
    }

    @Test
    void the_messages_of_a_transaction_are_written_once_just_before_it_commits() throws Exception {
        List<UUID> ids = transaction.execute(status -> {
            List<UUID> made = new ArrayList<>();
            made.add(outbox.append(message("1")));
            made.addAll(outbox.append(List.of(message("2"), message("3"))));
            assertEquals(List.of(), waiting(), "they are collected first");
            return made;
        });
        assertEquals(List.of("1", "2", "3"), waiting());
        assertEquals(1, database.count("statements"));
        assertEquals(ids, jdbc.queryForList("select message_id from semel.outbox order by id", UUID.class));
        assertTrue(ids.stream().allMatch(id -> id.version() == 7));
    }

    @Test
    void a_transaction_that_is_rolled_back_tells_nothing() {
        transaction.executeWithoutResult(status -> {
            outbox.append(message("1"));
            status.setRollbackOnly();
        });
        assertThrows(
                IllegalStateException.class,
                () -> transaction.executeWithoutResult(status -> {
                    outbox.append(message("2"));
                    throw new IllegalStateException("no");
                }));
        assertEquals(List.of(), waiting());
    }

    @Test
    void what_a_nested_transaction_has_rolled_back_is_not_told() {
        TransactionTemplate nested = nested(TransactionDefinition.PROPAGATION_NESTED);
        transaction.executeWithoutResult(outer -> {
            nested.executeWithoutResult(inner -> {
                outbox.append(message("first, undone"));
                inner.setRollbackOnly();
            });
            outbox.append(message("1"));
            nested.executeWithoutResult(inner -> outbox.append(message("2")));
            nested.executeWithoutResult(inner -> {
                outbox.append(message("undone"));
                nested.executeWithoutResult(innermost -> outbox.append(message("undone with it")));
                inner.setRollbackOnly();
            });
            outbox.append(message("3"));
            Object savepoint = outer.createSavepoint();
            outbox.append(message("undone by hand"));
            outer.rollbackToSavepoint(savepoint);
            outbox.append(message("4"));
        });
        assertEquals(List.of("1", "2", "3", "4"), waiting());
    }

    @Test
    void a_transaction_of_its_own_tells_whatever_the_outer_one_does() {
        transaction.executeWithoutResult(outer -> {
            outbox.append(message("outer"));
            nested(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                    .executeWithoutResult(inner -> outbox.append(message("inner")));
            assertEquals(List.of("inner"), waiting());
            outer.setRollbackOnly();
        });
        assertEquals(List.of("inner"), waiting());
    }

    @Test
    void what_the_database_refuses_fails_the_commit_and_the_effect_with_it() throws Exception {
        assertThrows(
                DataIntegrityViolationException.class,
                () -> transaction.executeWithoutResult(status -> {
                    write("effect");
                    outbox.append(Message.of("orders", "refused", new byte[0]));
                }));
        assertEquals(0, database.count("ledger"));
        assertEquals(List.of(), waiting());
    }

    @Test
    void what_is_too_large_is_refused_before_anything_is_written() {
        assertThrows(
                IllegalArgumentException.class, () -> Message.of("orders", "order.paid", new byte[2 * 1024 * 1024]));
        Message large = Message.of("orders", "order.paid", new byte[1024 * 1024]);
        refused(
                "have more than 67108864 bytes",
                () -> transaction.executeWithoutResult(status -> {
                    for (int i = 0; i < 65; i++) outbox.append(large);
                }));
        assertEquals(List.of(), waiting());
    }

    @Test
    void a_message_without_a_transaction_is_refused() {
        refused("There is no transaction", () -> outbox.append(message("1")));
        refused(
                "There is no transaction",
                () -> nested(TransactionDefinition.PROPAGATION_SUPPORTS)
                        .executeWithoutResult(status -> outbox.append(message("1"))));
        TransactionTemplate reading = new TransactionTemplate(transaction.getTransactionManager());
        reading.setReadOnly(true);
        refused("is read-only", () -> reading.executeWithoutResult(status -> outbox.append(message("1"))));
        assertEquals(List.of(), waiting());
    }

    @Test
    void a_transaction_of_something_else_is_refused() {
        TransactionTemplate elsewhere = new TransactionTemplate(application.getBean(Elsewhere.class));
        refused("not one of the database", () -> elsewhere.executeWithoutResult(status -> outbox.append(message("1"))));
        refused(
                "not one of the database",
                () -> transaction.executeWithoutResult(
                        outer -> elsewhere.executeWithoutResult(inner -> outbox.append(message("1")))));
        TransactionTemplate other =
                new TransactionTemplate(new DataSourceTransactionManager(new DriverManagerDataSource(database.url())));
        refused("not one of the database", () -> other.executeWithoutResult(status -> outbox.append(message("1"))));
        elsewhere.executeWithoutResult(
                outer -> transaction.executeWithoutResult(inner -> outbox.append(message("inside"))));
        assertEquals(List.of("inside"), waiting());
    }

    /** It would never be written, and nobody would notice. */
    @Test
    void a_message_after_the_commit_is_refused_also_when_it_is_the_first() {
        for (boolean first : List.of(true, false)) {
            List<String> refusals = new ArrayList<>();
            transaction.executeWithoutResult(status -> {
                if (!first) outbox.append(message("1"));
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        refused("committed or rolled back already", () -> outbox.append(message("late")));
                        refusals.add("after the commit");
                    }

                    @Override
                    public void afterCompletion(int result) {
                        refused("There is no transaction", () -> outbox.append(message("later")));
                        refusals.add("after completion");
                    }
                });
            });
            assertEquals(List.of("after the commit", "after completion"), refusals);
        }
        assertEquals(List.of("1"), waiting());
    }

    @Test
    void a_listener_just_before_the_commit_may_still_append() {
        transaction.executeWithoutResult(status -> {
            outbox.append(message("1"));
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    outbox.append(message("2"));
                }
            });
        });
        assertEquals(List.of("1", "2"), waiting());
    }

    /** Messages of a key have the order in which their transactions get the locks on its rows. */
    @Test
    void what_is_only_noted_is_flushed_before_messages_are_written() {
        List<String> flushes = new ArrayList<>();
        transaction.executeWithoutResult(status -> {
            outbox.append(message("1"));
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void flush() {
                    flushes.add("with " + waiting().size());
                    outbox.append(message("of a listener of an entity"));
                }
            });
        });
        assertEquals(List.of("with 0"), flushes);
        assertEquals(List.of("1", "of a listener of an entity"), waiting());
    }

    @Test
    void a_joined_method_tells_once_what_it_did_once() throws Exception {
        Shop shop = application.getBean(Shop.class);
        String id = shop.pay("o-1");
        assertEquals(id, shop.pay("o-1"), "a retry gets the id of the message that was sent");
        assertEquals(List.of("o-1"), waiting());
        assertEquals(1, database.count("ledger"));
        assertEquals(id, jdbc.queryForObject("select message_id::text from semel.outbox", String.class));
    }

    @Test
    void the_inbox_lets_a_message_take_effect_once() throws Exception {
        Inbox inbox = application.getBean(Inbox.class);
        UUID id = UUID.randomUUID();
        for (int i = 0; i < 3; i++)
            transaction.executeWithoutResult(status -> {
                ConnectionCallback<Boolean> first =
                        (Connection connection) -> inbox.firstTime(connection, "billing", id.toString());
                if (Boolean.TRUE.equals(jdbc.execute(first))) write("billed");
            });
        assertEquals(1, database.count("ledger"));
    }
}
