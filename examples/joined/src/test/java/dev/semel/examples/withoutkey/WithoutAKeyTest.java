package dev.semel.examples.withoutkey;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Codec;
import dev.semel.core.Operation;
import dev.semel.core.Semel;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.TimeOrderedId;
import dev.semel.examples.joined.Database;
import dev.semel.store.jdbc.PostgresKeyStore;
import dev.semel.store.jdbc.effect.Fence;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cases of docs/without-a-key.md, on a real database. */
class WithoutAKeyTest {
    private static Database database;
    private static PostgresKeyStore store;

    private final Accounts accounts = new Accounts();
    private final Orders orders = new Orders();
    private final Payments payments = new Payments();

    private interface Work<T> {
        T in(Connection connection) throws SQLException;
    }

    @BeforeAll
    static void start() throws Exception {
        database = Database.start();
        store = PostgresKeyStore.open(database.url());
        database.execute(
                "create table account (id text primary key, cents bigint not null)",
                "create table payment (reference text primary key, cents bigint not null)",
                "create table refund (id uuid primary key, cents bigint not null)",
                "create table orders (id uuid primary key, item text, state text not null default 'authorized')",
                "create table booking (order_id uuid not null, what text not null)");
    }

    @AfterAll
    static void stop() {
        store.close();
        database.close();
    }

    @BeforeEach
    void clear() throws SQLException {
        database.execute(
                "truncate account, payment, refund, orders, booking, semel_fence",
                "insert into account values ('42', 0)");
    }

    private static <T> T committed(Work<T> work) throws SQLException {
        try (Connection connection = database.pool().getConnection()) {
            connection.setAutoCommit(false);
            T done = work.in(connection);
            connection.commit();
            return done;
        }
    }

    private static boolean set(Work<Boolean> work) throws SQLException {
        return committed(work);
    }

    /** The answer was lost, so the client asks again. */
    private static <T> List<T> twice(Work<T> work) throws SQLException {
        return List.of(committed(work), committed(work));
    }

    private static String balance() throws SQLException {
        return database.one("select cents from account");
    }

    @Test
    void set_can_be_repeated_and_increment_cannot() throws SQLException {
        twice(it -> accounts.set(it, "42", 1000));
        assertEquals("1000", balance());
        twice(it -> {
            accounts.add(it, "42", 1000);
            return "added";
        });
        assertEquals("3000", balance(), "the second of two equal requests was added too");
    }

    @Test
    void put_can_be_repeated_and_post_cannot() throws SQLException {
        UUID id = TimeOrderedId.next();
        twice(it -> {
            orders.put(it, id, "a book");
            return id;
        });
        assertEquals("1", database.one("select count(*) from orders"));
        List<UUID> posted = twice(it -> orders.post(it, "a book"));
        assertNotEquals(posted.get(0), posted.get(1));
        assertEquals("3", database.one("select count(*) from orders"), "two requests, two orders");
    }

    @Test
    void a_late_retry_undoes_a_refund_without_a_fence_and_not_with_one() throws SQLException {
        committed(it -> accounts.set(it, "42", 10_000));
        committed(it -> accounts.set(it, "42", 0));
        committed(it -> accounts.set(it, "42", 10_000));
        assertEquals("10000", balance(), "the refund is undone");

        assertTrue(set(it -> accounts.setBalance(it, "42", 10_000, 3)));
        assertTrue(set(it -> accounts.setBalance(it, "42", 0, 4)), "the refund");
        assertFalse(set(it -> accounts.setBalance(it, "42", 10_000, 3)), "the retry that came late");
        assertEquals("0", balance());
        assertTrue(set(it -> accounts.setBalance(it, "42", 0, 4)), "a retry of the last write itself");
    }

    @Test
    void a_run_that_was_overtaken_cannot_write_behind_a_fence() throws Exception {
        try (Semel semel = Semel.on(store).start()) {
            Operation<String> settle = semel.operation("settle", Codec.text()).withGuarantee(Guarantee.AT_LEAST_ONCE);
            long[] tokens = new long[2];
            try {
                settle.once("o-1", null, attempt -> {
                    tokens[0] = attempt.token();
                    throw new IllegalStateException("no answer");
                });
            } catch (IllegalStateException e) {
                // The first run is lost, or only slow: nobody can tell.
            }
            settle.once("o-1", null, attempt -> {
                tokens[1] = attempt.token();
                assertTrue(set(it -> accounts.setBalance(it, "42", 500, attempt.token())));
                return "settled";
            });
            assertFalse(set(it -> accounts.setBalance(it, "42", 9, tokens[0])), "the slow run wakes up");
            assertEquals("500", balance());
            assertEquals(
                    new Fence.Stale(tokens[1]),
                    committed(it -> Fence.named("accounts").enter(it, "42", tokens[0])));
        }
    }

    @Test
    void a_change_of_state_is_made_once_and_a_refund_is_not_undone() throws SQLException {
        UUID order = committed(it -> orders.post(it, "a book"));
        assertEquals("not possible: the order is authorized", committed(it -> orders.refund(it, order)));
        assertEquals(List.of("capture booked", "captured before"), twice(it -> orders.capture(it, order)));
        assertEquals(List.of("refund booked", "refunded before"), twice(it -> orders.refund(it, order)));
        assertEquals("not possible: the order is refunded", committed(it -> orders.capture(it, order)));
        assertEquals("no such order", committed(it -> orders.capture(it, UUID.randomUUID())));
        assertEquals("2", database.one("select count(*) from booking"));
    }

    @Test
    void a_natural_key_makes_the_second_insert_a_no_op() throws SQLException {
        assertEquals(List.of(true, false), twice(it -> payments.record(it, "invoice 7", 1000)));
        assertEquals("1", database.one("select count(*) from payment"));
    }

    @Test
    void an_id_derived_from_what_it_names_is_the_same_for_every_attempt() throws SQLException {
        List<UUID> ids = twice(it -> payments.refund(it, "o-1", "goodwill", 500));
        assertEquals(ids.get(0), ids.get(1));
        assertEquals("1", database.one("select count(*) from refund"));
        assertNotEquals(ids.get(0), payments.refundId("o-1", "damaged"));
    }
}
