package dev.semel.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.memory.MemoryBroker;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.message.OutgoingMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The code of docs/messaging.md. */
@ExtendWith(SharedPostgres.class)
@SuppressWarnings("try") // a relay that runs is all that is asked of it
@Timeout(60)
class MessagingGuideTest {
    @Test
    void an_order_is_paid_told_and_billed_once() throws Exception {
        MemoryBroker broker = new MemoryBroker();
        try (HikariDataSource database = SharedPostgres.pool(SharedPostgres.freshUrl())) {
            execute(database, "create table orders (id text, state text)", "create table bills (order_id text)");
            execute(database, "insert into orders values ('order-1', 'new')");
            try (Relay relay = sending(database, broker)) {
                pay(Outbox.open(database), database, "order-1");
                while (broker.taken().isEmpty()) LockSupport.parkNanos(1_000_000);
            }
            for (int i = 0; i < 3; i++) receive(database, broker.taken().getFirst());
            try (Connection connection = database.getConnection();
                    Statement statement = connection.createStatement();
                    var row = statement.executeQuery("select count(*) from bills")) {
                row.next();
                assertEquals(1, row.getInt(1));
            }
        }
    }

    private static void pay(Outbox outbox, DataSource database, String orderId) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            update(connection, "update orders set state = 'paid' where id = ?", orderId);
            outbox.append(
                    connection,
                    Message.of("orders", "order.paid", body(orderId)).withKey(orderId));
            connection.commit();
        }
        outbox.committed();
    }

    private static Relay sending(DataSource database, Broker broker) throws SQLException {
        Outbox outbox = Outbox.open(database);
        return Relay.from(outbox).to(broker).start();
    }

    private static void receive(DataSource database, OutgoingMessage message) throws Exception {
        InboxWindow.Latest latest = new InboxWindow.Latest(Duration.ofDays(1), Duration.ofDays(7), Duration.ofDays(14));
        Inbox inbox = Inbox.open(database, new InboxWindow(Duration.ofDays(30)).requireCovers(latest));

        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            inbox.once(connection, "billing", message.id(), () -> bill(connection, message));
            connection.commit();
        }
    }

    private static void bill(Connection connection, OutgoingMessage message) throws SQLException {
        update(connection, "insert into bills values (?)", String.valueOf(message.key()));
    }

    private static byte[] body(String orderId) {
        return ("{\"order\": \"" + orderId + "\"}").getBytes(UTF_8);
    }

    private static void update(Connection connection, String sql, String parameter) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, parameter);
            statement.executeUpdate();
        }
    }

    private static void execute(DataSource database, String... statements) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) statement.execute(sql);
        }
    }
}
