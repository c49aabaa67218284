package dev.semel.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.consume.IncomingMessage;
import dev.semel.messaging.consume.MessageHandler;
import dev.semel.messaging.consume.Receiver;
import dev.semel.messaging.consume.Reception;
import dev.semel.messaging.consume.RejectedMessageException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedPostgres.class)
@Timeout(60)
class ReceiverTest {
    private static final Reception DONE = new Reception.Done(true);
    private static final Reception KNOWN = new Reception.Done(false);

    private HikariDataSource database;
    private Inbox inbox;

    @BeforeEach
    void open() throws SQLException {
        database = SharedPostgres.pool(SharedPostgres.freshUrl());
        inbox = Inbox.open(database, new InboxWindow(Duration.ofDays(1)));
        run("create table effect (n serial, message text, other int unique deferrable initially deferred)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void a_batch_takes_effect_once_in_its_order_and_its_duplicates_do_not() throws Exception {
        Receiver receiver = Receiver.of(inbox, "billing", ReceiverTest::write);
        List<IncomingMessage> batch = List.of(message("a", "k"), message("b", null), message("a", "k"));
        assertEquals(List.of(DONE, DONE, KNOWN), receiver.receive(batch));
        assertEquals(List.of(KNOWN, DONE), receiver.receive(List.of(message("b", null), message("c", "k"))));
        assertEquals(List.of("a", "b", "c"), effects());
        assertEquals(List.of(), receiver.receive(List.of()));
    }

    @Test
    void a_batch_is_one_transaction() throws Exception {
        Receiver receiver = Receiver.of(inbox, "billing", (transaction, message) -> {
            try (PreparedStatement insert =
                    transaction.prepareStatement("insert into effect (message) values (pg_current_xact_id()::text)")) {
                insert.executeUpdate();
            }
        });
        receiver.receive(IntStream.range(0, 100)
                .mapToObj(i -> message("m" + i, "k" + i % 3))
                .toList());
        assertEquals(100, effects().size());
        assertEquals(1, effects().stream().distinct().count());
    }

    @Test
    void what_fails_leaves_nothing_and_is_not_overtaken_by_its_key_but_by_others() throws Exception {
        List<String> failing = new ArrayList<>(List.of("b"));
        IllegalStateException why = new IllegalStateException("not now");
        Receiver receiver = Receiver.of(inbox, "billing", (transaction, message) -> {
            write(transaction, message);
            if (failing.contains(message.id())) throw why;
        });
        List<IncomingMessage> batch =
                List.of(message("a", "k"), message("b", "k"), message("c", "k"), message("d", "j"), message("e", null));
        assertEquals(
                List.of(DONE, new Reception.Failed(why), new Reception.Behind(), DONE, DONE), receiver.receive(batch));
        assertEquals(List.of("a", "d", "e"), effects());

        failing.clear();
        assertEquals(List.of(KNOWN, DONE, DONE, KNOWN, KNOWN), receiver.receive(batch));
        assertEquals(List.of("a", "d", "e", "b", "c"), effects());
    }

    @Test
    void what_is_rejected_does_not_hold_up_its_key() throws Exception {
        Receiver receiver = Receiver.of(inbox, "billing", (transaction, message) -> {
            write(transaction, message);
            if ("a".equals(message.id())) throw new RejectedMessageException("no such account");
        });
        assertEquals(
                List.of(new Reception.Rejected("no such account"), DONE),
                receiver.receive(List.of(message("a", "k"), message("b", "k"))));
        assertEquals(List.of("b"), effects());
    }

    @Test
    void a_message_without_an_id_that_can_be_kept_is_rejected() throws Exception {
        Receiver receiver = Receiver.of(inbox, "billing", ReceiverTest::write);
        List<IncomingMessage> batch = new ArrayList<>();
        for (String id : new String[] {null, "", "x\0y", "\ud800", "x".repeat(1025)}) batch.add(message(id, "k"));
        batch.add(message("good", "k"));
        List<Reception> receptions = receiver.receive(batch);
        for (Reception reception : receptions.subList(0, 5)) assertInstanceOf(Reception.Rejected.class, reception);
        assertEquals(DONE, receptions.get(5));
        assertThrows(IllegalArgumentException.class, () -> Receiver.of(inbox, "", ReceiverTest::write));
    }

    @Test
    void an_error_a_swallowed_failure_and_a_late_constraint_fail_the_message_and_not_the_consumer() throws Exception {
        Receiver receiver = Receiver.of(inbox, "billing", (transaction, message) -> {
            write(transaction, message);
            switch (message.id()) {
                case "error" -> throw new StackOverflowError();
                case "swallowed" -> {
                    try {
                        run(transaction, "select 1/0");
                    } catch (SQLException e) {
                        // As if nothing had happened.
                    }
                }
                case "late" -> run(transaction, "insert into effect (other) values (7), (7)");
                case "auto-commit" -> transaction.setAutoCommit(true);
                case "commits" -> transaction.commit();
                case "rolls-back" -> transaction.rollback();
                case "ends" -> run(transaction, "rollback; begin");
                case null, default -> {}
            }
        });
        for (String id : List.of("error", "swallowed", "late", "auto-commit", "commits", "rolls-back", "ends"))
            assertInstanceOf(
                    Reception.Failed.class,
                    receiver.receive(List.of(message(id, "k"))).getFirst(),
                    id);
        assertEquals(List.of(), effects());
        assertEquals(List.of(DONE), receiver.receive(List.of(message("good", "k"))));
        List<Reception> batch =
                receiver.receive(List.of(message("commits", "a"), message("x", "b"), message("y", "c")));
        assertInstanceOf(Reception.Failed.class, batch.getFirst());
        assertEquals(List.of(DONE, DONE), batch.subList(1, 3));
        assertEquals(List.of("good", "x", "y"), effects());
    }

    @Test
    void a_broken_connection_is_no_failure_of_the_message() throws Exception {
        Receiver receiver = Receiver.of(inbox, "billing", (transaction, message) -> {
            write(transaction, message);
            if ("a".equals(message.id())) run(transaction, "select pg_terminate_backend(pg_backend_pid())");
        });
        List<Reception> receptions = receiver.receive(List.of(message("a", "k"), message("b", "k")));
        for (Reception reception : receptions) assertInstanceOf(Reception.Away.class, reception);
        assertEquals(List.of(DONE), receiver.receive(List.of(message("b", "k"))));

        database.close();
        assertInstanceOf(
                Reception.Away.class,
                receiver.receive(List.of(message("c", "k"))).getFirst());
    }

    @Test
    void a_handler_that_is_interrupted_leaves_nothing() throws Exception {
        MessageHandler interrupted = (transaction, message) -> {
            write(transaction, message);
            throw new InterruptedException();
        };
        Receiver receiver = Receiver.of(inbox, "billing", interrupted);
        assertThrows(InterruptedException.class, () -> receiver.receive(List.of(message("a", "k"))));
        assertTrue(effects().isEmpty());
    }

    private static IncomingMessage message(@Nullable String id, @Nullable String key) {
        return new IncomingMessage(id, "orders", key, "order.paid", Map.of(), "{}".getBytes(UTF_8));
    }

    private static void write(Connection transaction, IncomingMessage message) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement("insert into effect (message) values (?)")) {
            insert.setString(1, message.id());
            insert.executeUpdate();
        }
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = database.getConnection()) {
            run(connection, sql);
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> effects() throws SQLException {
        List<String> effects = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select message from effect order by n")) {
            while (rows.next()) effects.add(rows.getString(1));
        }
        return effects;
    }
}
