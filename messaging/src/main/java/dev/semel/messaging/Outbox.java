package dev.semel.messaging;

import dev.semel.core.key.TimeOrderedId;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.relay.Wakeup;
import dev.semel.messaging.tables.OutboxStatus;
import dev.semel.messaging.tables.OutboxTables;
import dev.semel.messaging.tables.PostgresOutboxTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Messages written in the transaction of what they tell of: both happen, or neither does. A {@link Relay} sends them after the
 * commit.
 *
 * <pre>{@code
 * outbox.append(connection, Message.of("orders", "order.paid", body).withKey(orderId));
 * connection.commit();
 * outbox.committed();      // a relay in this process need not wait for its next look
 * }</pre>
 *
 * <p>Safe for use by any thread.
 */
public final class Outbox {
    private final DataSource database;
    private final OutboxTables tables;
    private final @Nullable Announcements announcements;
    private final Wakeup appended;

    private Outbox(DataSource database, OutboxTables tables) {
        this(database, tables, null, new Wakeup());
    }

    private Outbox(
            DataSource database, OutboxTables tables, @Nullable Announcements announcements, Wakeup appended) {
        this.database = database;
        this.tables = tables;
        this.announcements = announcements;
        this.appended = appended;
    }

    /**
     * The outbox in this database. Makes its tables (schema {@code semel}) where they are missing.
     *
     * @throws SQLException when the database cannot be reached, or the tables cannot be made
     * @throws IllegalStateException when the database is one that is not known, too old, or used by a newer version
     */
    public static Outbox open(DataSource database) throws SQLException {
        OutboxTables tables = tablesOf(database);
        tables.migrate(database);
        return new Outbox(database, tables);
    }

    /**
     * The outbox in this database, which must have its tables already: nothing is changed.
     *
     * @throws IllegalStateException when tables are missing
     */
    public static Outbox existing(DataSource database) throws SQLException {
        OutboxTables tables = tablesOf(database);
        if (!tables.missing(database).isEmpty())
            throw new IllegalStateException(
                    "There is no outbox in this database, or one of an older version. Outbox.open"
                            + " makes its tables, and so does a relay when it starts.");
        return new Outbox(database, tables);
    }

    private static OutboxTables tablesOf(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection()) {
            String url = connection.getMetaData().getURL();
            if (url.startsWith("jdbc:postgresql:")) return new PostgresOutboxTables();
            throw new IllegalStateException("There is no outbox for this kind of database ("
                    + url.replaceAll("[?;/].*", "") + "); PostgreSQL has one.");
        }
    }

    /**
     * Appends a message: it is sent if this transaction commits.
     *
     * @return its id, which it keeps wherever it goes: a UUID of version 7
     * @throws SQLException when the database fails, for which the transaction must be rolled back
     * @throws IllegalStateException when the connection is in auto-commit mode
     */
    public UUID append(Connection transaction, Message message) throws SQLException {
        return append(transaction, List.of(message)).getFirst();
    }

    /** Appends these messages, in this order, in one statement. */
    public List<UUID> append(Connection transaction, List<Message> messages) throws SQLException {
        if (transaction.getAutoCommit())
            throw new IllegalStateException(
                    "There is no transaction to append to: the connection is in auto-commit mode, so"
                            + " the message would be sent whatever happens next. Begin a transaction first.");
        if (messages.isEmpty()) return List.of();
        List<UUID> ids =
                Stream.generate(TimeOrderedId::next).limit(messages.size()).toList();
        tables.append(transaction, ids, messages);
        return ids;
    }

    /**
     * The same outbox; what is {@linkplain #committed committed} is also announced to relays in other processes ({@code NOTIFY
     * semel_outbox}), if they listen. Not in the transaction of the caller, whose commit it would hold up, but after it, on a connection
     * of its own, and 20 times a second at most.
     *
     * @throws IllegalStateException when the database has nothing of the kind
     */
    public Outbox withNotify() {
        if (!(tables instanceof PostgresOutboxTables))
            throw new IllegalStateException("Only PostgreSQL can tell relays in other processes; the others look.");
        return new Outbox(database, tables, new Announcements(database, tables), appended);
    }

    /** Says that a transaction with messages has been committed, for the relays of this process. A hint: it may be left out. */
    public void committed() {
        appended.signal();
        if (announcements != null) announcements.signal();
    }

    /** How it is doing. */
    public OutboxStatus status() throws SQLException {
        try (Connection connection = database.getConnection()) {
            return tables.status(connection);
        }
    }

    DataSource database() {
        return database;
    }

    OutboxTables tables() {
        return tables;
    }

    Wakeup appended() {
        return appended;
    }
}
