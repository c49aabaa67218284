package dev.semel.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.messaging.tables.InboxTables;
import dev.semel.messaging.tables.PostgresInboxTables;
import dev.semel.messaging.tables.PostgresSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages that come more than once harmless: whether a consumer has had a message is written in the transaction of its
 * effect, so both happen, or neither does.
 *
 * <pre>{@code
 * inbox.once(connection, "billing", messageId, () -> bill(connection, order));
 * connection.commit();
 * message.acknowledge();
 * }</pre>
 *
 * <p>A duplicate that comes while the first is still at work waits for its transaction inside the database: if that commits, the
 * duplicate is told so; if it rolls back, the duplicate is the first. Safe for use by any thread.
 */
public final class Inbox {
    private static final int LONGEST_CONSUMER = 255;
    private static final int LONGEST_ID = 1024;

    private final DataSource database;
    private final InboxTables tables;
    private final InboxWindow window;

    private Inbox(DataSource database, InboxTables tables, InboxWindow window) {
        this.database = database;
        this.tables = tables;
        this.window = window;
    }

    /** What a message brings about, in the transaction of the caller. */
    @FunctionalInterface
    public interface Effect {
        void run() throws Exception;
    }

    /**
     * The inbox in this database. Makes its tables (schema {@code semel}) where they are missing.
     *
     * @param window for how long ids are kept, and how late a duplicate may come
     */
    public static Inbox open(DataSource database, InboxWindow window) throws SQLException {
        return open(database, window, PostgresSchema.USUAL);
    }

    /** An inbox apart from all others in this database, which forgets by its own window. */
    public static Inbox open(DataSource database, InboxWindow window, PostgresSchema schema) throws SQLException {
        InboxTables tables = tablesOf(database, schema);
        tables.migrate(database);
        return new Inbox(database, tables, window);
    }

    private static InboxTables tablesOf(DataSource database, PostgresSchema schema) throws SQLException {
        try (Connection connection = database.getConnection()) {
            String url = connection.getMetaData().getURL();
            if (url.startsWith("jdbc:postgresql:")) return new PostgresInboxTables(schema);
            throw new IllegalStateException("There is no inbox for this kind of database ("
                    + url.replaceAll("[?;/].*", "") + "); PostgreSQL has one.");
        }
    }

    /**
     * Runs the effect if this consumer has the message for the first time.
     *
     * @param consumer who has it; consumers with different names each have every message once
     * @param messageId as the sender fixed it, the same however often it is sent
     * @return whether it ran
     * @throws Exception what the effect throws: roll the transaction back, and the message counts as not received
     * @throws IllegalStateException when the effect has ended the transaction, or swallowed a failure after which it cannot be committed
     */
    public boolean once(Connection transaction, String consumer, String messageId, Effect effect) throws Exception {
        if (!firstTime(transaction, consumer, messageId)) return false;
        effect.run();
        requireNoted(transaction, consumer, messageId);
        return true;
    }

    /**
     * To be called before the commit where a failure may have been swallowed: some drivers commit a failed transaction without a
     * word, and the server then rolls it back. Whoever acknowledges the message after that has lost it.
     *
     * @throws IllegalStateException when this transaction does not hold any more that the consumer has the message
     */
    public void requireNoted(Connection transaction, String consumer, String messageId) throws SQLException {
        SQLException failure = null;
        try {
            if (!transaction.getAutoCommit() && tables.isNoted(transaction, consumer, messageId)) return;
        } catch (SQLException e) {
            if (!transaction.isValid(1)) throw e;
            failure = e;
        }
        throw new IllegalStateException(
                "The effect of message " + messageId
                        + " has ended the transaction that it is a part of, or swallowed a failure of the database"
                        + " after which nothing can be committed. Roll back; the message counts as not received.",
                failure);
    }

    public boolean once(Connection transaction, String consumer, UUID messageId, Effect effect) throws Exception {
        return once(transaction, consumer, messageId.toString(), effect);
    }

    /** Whether this consumer has the message for the first time; from now on it has not, if the transaction commits. */
    public boolean firstTime(Connection transaction, String consumer, String messageId) throws SQLException {
        return !firstTimes(transaction, consumer, List.of(messageId)).isEmpty();
    }

    /** The same for many messages in one statement, which is many times faster. @return those that are new, each once */
    public Set<String> firstTimes(Connection transaction, String consumer, Collection<String> messageIds)
            throws SQLException {
        if (transaction.getAutoCommit())
            throw new IllegalStateException(
                    "There is no transaction for the effect of the message: the connection is in"
                            + " auto-commit mode, so the message would count as received whatever happens next.");
        requireConsumer(consumer);
        for (String id : messageIds) requireNo(problemOf(id));
        return messageIds.isEmpty() ? Set.of() : tables.firstTimes(transaction, consumer, messageIds);
    }

    /** A connection to the database of the inbox, in a transaction of its own. */
    public Connection begin() throws SQLException {
        Connection connection = database.getConnection();
        try {
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** @throws IllegalArgumentException when a consumer cannot have this name */
    public void requireConsumer(String consumer) {
        requireNo(problem("name of a consumer", consumer, LONGEST_CONSUMER));
    }

    /** Why a message with this id cannot be received; null when it can. */
    public @Nullable String problemOf(@Nullable String messageId) {
        if (messageId == null) return "The message has no id, so nobody can tell whether it came before.";
        return problem("id of a message", messageId, LONGEST_ID);
    }

    private static @Nullable String problem(String what, String text, int longest) {
        boolean good = !text.isEmpty()
                && text.indexOf('\0') < 0
                && UTF_8.newEncoder().canEncode(text)
                && text.getBytes(UTF_8).length <= longest;
        return good ? null : "The " + what + " has 1 to " + longest + " bytes of UTF-8, and no NUL character.";
    }

    private static void requireNo(@Nullable String problem) {
        if (problem != null) throw new IllegalArgumentException(problem);
    }

    /**
     * Forgets ids that are older than the window, where that can be done at once. To be called now and then, such as every
     * minute.
     *
     * @return whether anything was forgotten
     */
    public boolean expire() throws SQLException {
        try (Connection connection = database.getConnection()) {
            return tables.expire(connection, window.keep());
        }
    }
}
