package dev.semel.broker.sqs;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.InboxWindow;
import dev.semel.messaging.consume.IncomingMessage;
import dev.semel.messaging.consume.MessageHandler;
import dev.semel.messaging.consume.Receiver;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A database in which each message that takes effect leaves a row: {@code key body}, in their order. */
final class ReceivedEffects implements AutoCloseable {
    final HikariDataSource database;
    private final Inbox inbox;

    ReceivedEffects() throws SQLException {
        database = SharedPostgres.fresh();
        inbox = Inbox.open(database, new InboxWindow(Duration.ofDays(1)));
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table effect (n serial, what text)");
        }
    }

    /** Writes the row first, and does this then. */
    Receiver receiver(MessageHandler then) {
        return Receiver.of(inbox, "billing", (transaction, message) -> {
            write(transaction, message);
            then.handle(transaction, message);
        });
    }

    Receiver receiver() {
        return receiver((transaction, message) -> {});
    }

    private static void write(Connection transaction, IncomingMessage message) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement("insert into effect (what) values (?)")) {
            insert.setString(1, message.key() + " " + body(message));
            insert.executeUpdate();
        }
    }

    static String body(IncomingMessage message) {
        return new String(message.payload(), StandardCharsets.UTF_8);
    }

    List<String> all() throws SQLException {
        List<String> effects = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select what from effect order by n")) {
            while (rows.next()) effects.add(rows.getString(1));
        }
        return effects;
    }

    void await(int effects) {
        await(() -> {
            try {
                return all().size() >= effects;
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(5_000_000);
            if (Thread.currentThread().isInterrupted()) throw new IllegalStateException("it takes too long");
        }
    }

    @Override
    public void close() {
        database.close();
    }
}
