package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.store.jdbc.effect.Transition;
import dev.semel.store.jdbc.effect.Transition.Absent;
import dev.semel.store.jdbc.effect.Transition.AlreadyThere;
import dev.semel.store.jdbc.effect.Transition.Changed;
import dev.semel.store.jdbc.effect.Transition.Refused;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TransitionTest extends OnEachPostgres {
    private static final Transition.Column ORDERS = Transition.of("orders", "id", "state");
    private static final Transition CAPTURE = ORDERS.from("authorized").to("captured");

    private Sql sql;

    @BeforeEach
    void makeTable() throws SQLException {
        sql = Sql.on(freshDatabase());
        sql.execute(
                "create table orders (id bigint primary key, state text)",
                "insert into orders values (1, 'authorized'), (2, 'captured'), (3, 'cancelled'), (4, null)");
    }

    private Transition.Result applyAndCommit(Transition transition, Object id) throws SQLException {
        try (Connection connection = sql.connect()) {
            connection.setAutoCommit(false);
            Transition.Result result = transition.apply(connection, id);
            connection.commit();
            return result;
        }
    }

    @Test
    void a_change_is_made_once_and_its_repetition_is_told_as_such() throws SQLException {
        assertEquals(new Changed("authorized"), applyAndCommit(CAPTURE, 1L));
        assertEquals(new AlreadyThere(), applyAndCommit(CAPTURE, 1L));
        assertEquals(new AlreadyThere(), applyAndCommit(CAPTURE, 2L));
        assertEquals(new Refused("cancelled"), applyAndCommit(CAPTURE, 3L));
        assertEquals(new Refused(null), applyAndCommit(CAPTURE, 4L));
        assertEquals(new Absent(), applyAndCommit(CAPTURE, 5L));
        assertEquals(
                List.of("captured", "captured", "cancelled", "null"),
                sql.rows("select coalesce(state, 'null') from orders order by id"));
    }

    @Test
    void several_states_may_be_left_and_the_answer_says_which_it_was() throws SQLException {
        Transition refund = ORDERS.from("captured", "settled").to("refunded");
        assertEquals(new Refused("authorized"), applyAndCommit(refund, 1), "no refund before the capture");
        assertEquals(new Changed("captured"), applyAndCommit(refund, 2));
        assertEquals(new Refused("refunded"), applyAndCommit(CAPTURE, 2), "a late retry does not undo a refund");
    }

    @Test
    void no_answer_hurts_the_transaction_and_a_rollback_undoes_the_change() throws SQLException {
        try (Connection connection = sql.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (int id = 1; id <= 5; id++) CAPTURE.apply(connection, id);
            statement.execute("select 1");
            connection.rollback();
        }
        assertEquals(new Changed("authorized"), applyAndCommit(CAPTURE, 1L));
    }

    @Test
    void of_32_at_once_one_makes_the_change() throws Exception {
        sql.execute("insert into orders select i, 'authorized' from generate_series(100, 104) i");
        for (int order = 100; order < 105; order++) {
            int id = order;
            CountDownLatch ready = new CountDownLatch(32);
            List<Future<Transition.Result>> results = new ArrayList<>();
            try (ExecutorService threads = Executors.newFixedThreadPool(32)) {
                for (int i = 0; i < 32; i++)
                    results.add(threads.submit(() -> {
                        try (Connection connection = sql.connect()) {
                            connection.setAutoCommit(false);
                            ready.countDown();
                            ready.await();
                            Transition.Result result = CAPTURE.apply(connection, id);
                            connection.commit();
                            return result;
                        }
                    }));
            }
            int changed = 0;
            for (Future<Transition.Result> each : results)
                if (each.get() instanceof Changed) changed++;
                else assertEquals(new AlreadyThere(), each.get());
            assertEquals(1, changed);
        }
    }

    /** What one waited for is judged as it is after the wait. */
    @Test
    void of_two_that_exclude_each_other_one_is_refused() throws Exception {
        Transition cancel = ORDERS.from("authorized").to("cancelled");
        try (Connection first = sql.connect();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            first.setAutoCommit(false);
            assertEquals(new Changed("authorized"), CAPTURE.apply(first, 1));
            Future<Transition.Result> second = threads.submit(() -> applyAndCommit(cancel, 1));
            while (sql.one("select count(*) from pg_stat_activity where datname = current_database()"
                            + " and wait_event_type = 'Lock'")
                    .equals("0")) Thread.onSpinWait();
            first.commit();
            assertEquals(new Refused("captured"), second.get());
        }
    }

    @Test
    void ids_and_states_may_be_of_any_type_that_has_a_text_form() throws SQLException {
        UUID id = UUID.randomUUID();
        sql.execute(
                "create schema \"Shop\"",
                "create type phase as enum ('open', 'shut')",
                "create table \"Shop\".\"Door\" (\"Id\" uuid primary key, phase phase not null, number int not null)",
                "insert into \"Shop\".\"Door\" values ('" + id + "', 'open', 1)");
        Transition shut = Transition.of("Shop.Door", "Id", "phase").from("open").to("shut");
        assertEquals(new Changed("open"), applyAndCommit(shut, id));
        assertEquals(new AlreadyThere(), applyAndCommit(shut, id));
        Transition renumber =
                Transition.of("Shop.Door", "Id", "number").from("1").to("2");
        assertEquals(new Changed("1"), applyAndCommit(renumber, id));
        assertEquals(new AlreadyThere(), applyAndCommit(renumber, id));
        assertEquals("shut|2", sql.one("select phase, number from \"Shop\".\"Door\""));
    }

    @Test
    void names_that_are_none_are_refused_before_anything_is_said() {
        for (String bad :
                List.of("", "a b", "a\"b", "orders; drop table orders", "a..b", "a.b.c.d", ".a", "1a", "x".repeat(64)))
            assertThrows(IllegalArgumentException.class, () -> Transition.of(bad, "id", "state"), bad);
        assertThrows(IllegalArgumentException.class, () -> Transition.of("orders", "id or true", "state"));
        assertThrows(IllegalArgumentException.class, () -> Transition.of("orders", "id", "state = 'x' --"));
        assertThrows(IllegalArgumentException.class, () -> ORDERS.from("a", "b").to("b"));
    }

    @Test
    void states_and_ids_are_values_and_never_sql() throws SQLException {
        Transition odd = ORDERS.from("authorized").to("'; drop table orders; --");
        assertEquals(new Changed("authorized"), applyAndCommit(odd, "1"));
        assertEquals(new AlreadyThere(), applyAndCommit(odd, "1"));
    }

    @Test
    void an_id_that_several_rows_have_is_no_id() throws SQLException {
        sql.execute("create table parcels (id int, state text)", "insert into parcels values (1, 'a'), (1, 'b')");
        Transition move = Transition.of("parcels", "id", "state").from("a").to("c");
        assertThrows(IllegalStateException.class, () -> applyAndCommit(move, 1));
        assertEquals(List.of("a", "b"), sql.rows("select state from parcels order by 1"));
    }
}
