package dev.semel.testkit.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.InboxWindow;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.consume.IncomingMessage;
import dev.semel.messaging.consume.Receiver;
import dev.semel.messaging.consume.Reception;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.tables.MariaDbOutboxTables;
import dev.semel.messaging.tables.OutboxTables.Holds;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What MariaDB does to a transaction that waits too long, meets another in a circle, or ends unnoticed. */
@ExtendWith(MariaDbScene.class)
@Timeout(30)
class MariaDbTransactionsTest {
    private HikariDataSource database;
    private Inbox inbox;

    @BeforeEach
    void open() throws SQLException {
        database = MariaDbScene.freshDatabase();
        inbox = Inbox.open(database, new InboxWindow(Duration.ofDays(1)));
        execute("create table account (id int primary key, balance int) engine = InnoDB");
        execute("insert into account values (1, 0), (2, 0)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void a_wait_that_is_over_receives_nothing_not_even_by_a_commit_and_keeps_the_transaction() throws Exception {
        List<String> many = new ArrayList<>(List.of("m"));
        for (int i = 0; i < 2000; i++) many.add("a" + i);
        try (Connection first = inbox.begin();
                Connection second = inbox.begin()) {
            assertTrue(inbox.firstTime(first, "billing", "m"));
            execute(second, "set session innodb_lock_wait_timeout = 1");
            execute(second, "update account set balance = 5 where id = 1");
            SQLException over = assertThrows(SQLException.class, () -> inbox.firstTimes(second, "billing", many));
            assertEquals(1205, over.getErrorCode());
            second.commit();
            first.rollback();
            assertEquals(Set.copyOf(many), inbox.firstTimes(first, "billing", many));
            assertEquals("5", one("select balance from account where id = 1"));
            execute(second, "set session innodb_lock_wait_timeout = 50");
        }
    }

    @Test
    void a_handler_that_keeps_a_deadlock_to_itself_has_not_handled_its_message() throws Exception {
        Receiver receiver = Receiver.of(inbox, "billing", (transaction, message) -> {
            execute(transaction, "update account set balance = balance + 1 where id = 2");
            deadlock(transaction);
        });
        List<IncomingMessage> batch = List.of(message("m"));
        assertInstanceOf(Reception.Failed.class, receiver.receive(batch).getFirst());
        assertEquals("0", one("select balance from account where id = 2"));

        try (Connection connection = inbox.begin()) {
            assertThrows(
                    IllegalStateException.class,
                    () -> inbox.once(connection, "billing", "m", () -> deadlock(connection)));
            connection.rollback();
            assertTrue(inbox.firstTime(connection, "billing", "m"));
        }
    }

    /** The other transaction has done more, so this one is rolled back; and nobody is told. */
    private void deadlock(Connection transaction) throws Exception {
        try (Connection other = inbox.begin()) {
            execute(other, "insert into account select seq, 0 from seq_100_to_600");
            execute(other, "update account set balance = balance + 1 where id = 1");
            execute(transaction, "update account set balance = 7 where id = 2");
            CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> {
                try {
                    execute(other, "update account set balance = balance + 1 where id = 2");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            try {
                while (one(MariaDbScene.COUNT_OF_WAITING).equals("0")) Thread.onSpinWait();
                SQLException deadlock = assertThrows(
                        SQLException.class, () -> execute(transaction, "update account set balance = 7 where id = 1"));
                assertEquals(1213, deadlock.getErrorCode());
            } finally {
                waiting.get();
                other.rollback();
            }
        }
    }

    @Test
    void writers_relays_and_consumers_work_at_every_level_of_isolation() throws Exception {
        Outbox outbox = Outbox.open(database);
        for (int level : List.of(
                Connection.TRANSACTION_READ_UNCOMMITTED,
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE))
            try (Connection connection = inbox.begin()) {
                connection.setTransactionIsolation(level);
                execute(connection, "select * from account");
                outbox.append(connection, Message.of("orders", "t", new byte[0]).withKey("k"));
                assertEquals(Set.of("m" + level), inbox.firstTimes(connection, "c", List.of("m" + level)));
                connection.commit();
                assertFalse(inbox.firstTime(connection, "c", "m" + level));
                connection.commit();
            }
        assertEquals(4, outbox.status().waiting());
    }

    @Test
    void a_transaction_that_locks_ranges_of_the_outbox_holds_no_relay_up() throws Exception {
        Outbox outbox = Outbox.open(database);
        try (Connection connection = inbox.begin()) {
            outbox.append(connection, Message.of("orders", "t", new byte[0]).withKey("k"));
            connection.commit();
            assertEquals(1, outbox.status().waiting());
            execute(connection, "select * from semel_outbox");
            outbox.append(connection, Message.of("orders", "t", new byte[0]).withKey("k"));
            var tables = new MariaDbOutboxTables();
            try (Connection relay = database.getConnection()) {
                var leases = tables.renew(relay, "r", List.of(), List.of(), Duration.ofMinutes(1))
                        .held();
                var rows = tables.reader().read(relay, leases, Holds.NONE, 10).values().stream()
                        .flatMap(List::stream)
                        .toList();
                assertEquals(1, rows.size());
                tables.deleteSent(relay, leases, rows);
                assertEquals(0, outbox.status().waiting());
            }
            connection.rollback();
        }
    }

    /** A commit is seen before it is on disk, and a commit of one's own puts it there. */
    @Test
    void what_is_read_and_what_was_received_before_is_put_on_disk_by_a_write() throws Exception {
        Outbox outbox = Outbox.open(database);
        var tables = new MariaDbOutboxTables();
        try (Connection relay = database.getConnection()) {
            var leases = tables.renew(relay, "r", List.of(), List.of(), Duration.ofMinutes(1))
                    .held();
            tables.reader().read(relay, leases, Holds.NONE, 10);
            assertEquals("0", one("select sum(flushes) from semel_relay_flush"));
            try (Connection connection = inbox.begin()) {
                outbox.append(connection, Message.of("orders", "t", new byte[0]));
                connection.commit();
            }
            tables.reader().read(relay, leases, Holds.NONE, 10);
            assertEquals("1", one("select sum(flushes) from semel_relay_flush"));
        }
        try (Connection connection = inbox.begin()) {
            inbox.firstTimes(connection, "billing", List.of("m", "n"));
            connection.commit();
            inbox.firstTimes(connection, "billing", List.of("m"));
            connection.commit();
            assertEquals("1", one("select sum(times) from semel_inbox_1"));
            expire();
            inbox.firstTimes(connection, "billing", List.of("m"));
            connection.commit();
            assertEquals("2", one("select sum(times) from semel_inbox_1"));
        }
    }

    @Test
    void a_table_of_the_inbox_that_somebody_still_reads_holds_nobody_up_and_is_dropped_later() throws Exception {
        String tables = "select group_concat(table_name order by table_name) from information_schema.tables"
                + " where table_schema = database() and table_name regexp 'semel_inbox_[0-9]'";
        try (Connection reader = inbox.begin()) {
            execute(reader, "select * from semel_inbox_0");
            expire();
            assertEquals("semel_inbox_0,semel_inbox_1,semel_inbox_2", one(tables));
            reader.rollback();
        }
        expire();
        assertEquals("semel_inbox_2,semel_inbox_3", one(tables));
    }

    private void expire() throws SQLException {
        try (Connection aging = database.getConnection()) {
            MariaDbScene.ageInbox(aging, Duration.ofDays(2));
        }
        assertTrue(inbox.expire());
    }

    @Test
    void a_server_that_cannot_keep_messages_is_refused() throws Exception {
        execute("set global max_allowed_packet = 1048576");
        try (HikariDataSource small = PostgresScene.pool(MariaDbScene.freshUrl())) {
            IllegalStateException refused = assertThrows(IllegalStateException.class, () -> Outbox.open(small));
            assertTrue(refused.getMessage().contains("max_allowed_packet"), refused.getMessage());
        } finally {
            execute("set global max_allowed_packet = 16777216");
        }
        try (HikariDataSource none = PostgresScene.pool(MariaDbScene.freshUrl().replaceAll("/t[0-9a-f]+", "/"))) {
            IllegalStateException refused = assertThrows(IllegalStateException.class, () -> Outbox.open(none));
            assertTrue(refused.getMessage().contains("names no database"), refused.getMessage());
        }
    }

    private static IncomingMessage message(String id) {
        return new IncomingMessage(id, "orders", "k", "order.paid", Map.of(), new byte[0]);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection()) {
            execute(connection, sql);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String one(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }
}
