package dev.semel.spring.messaging;

import dev.semel.core.key.TimeOrderedId;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.message.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The messages of one transaction, until they are written. It is there from the beginning of every transaction, also of those
 * without messages: one that was made with the first message could not tell whether the commit is over, and would lose the message.
 */
final class PendingMessages implements TransactionSynchronization {
    /** What a transaction may hold in memory. */
    static final long MOST_BYTES = 64L * 1024 * 1024;

    private enum Phase {
        COLLECTING,
        /** Just before the commit. What is appended now is written at once. */
        WRITTEN,
        OVER
    }

    private record Pending(UUID id, Message message) {}

    private final TransactionManager owner;
    private final TransactionStatus transaction;
    private final List<Pending> pending = new ArrayList<>();
    private final IdentityHashMap<Object, Integer> sizeAtSavepoint = new IdentityHashMap<>();
    private Phase phase = Phase.COLLECTING;
    private @Nullable Outbox outbox;
    private @Nullable DataSource source;

    PendingMessages(TransactionManager owner, TransactionStatus transaction) {
        this.owner = owner;
        this.transaction = transaction;
    }

    boolean isOf(MessageDataSource messages) {
        return messages.isManagedBy(owner);
    }

    List<UUID> append(Outbox where, MessageDataSource messages, List<Message> added) {
        if (phase == Phase.OVER)
            throw new OutboxMisuseException("The transaction has been committed or rolled back already, so no message"
                    + " can be appended in it. Append before, or begin a new one (REQUIRES_NEW).");
        if (outbox != null && outbox != where)
            throw new OutboxMisuseException("One transaction cannot append to two outboxes.");
        requireJoined(messages.source());
        requireRoom(added);
        outbox = where;
        source = messages.source();
        List<Pending> fresh = added.stream()
                .map(each -> new Pending(TimeOrderedId.next(), each))
                .toList();
        if (phase == Phase.WRITTEN) write(fresh);
        else pending.addAll(fresh);
        return fresh.stream().map(Pending::id).toList();
    }

    /** A transaction of JTA has a connection only when somebody has asked for one. */
    private void requireJoined(DataSource of) {
        if (!MessageDataSource.isJta(owner.getClass()) && !TransactionSynchronizationManager.hasResource(of))
            throw new OutboxMisuseException(
                    "The transaction has no connection to the database with the outbox. Its transaction manager has to"
                            + " share it: that of JPA does so with a JpaDialect, such as Hibernate's.");
    }

    private void requireRoom(List<Message> added) {
        long bytes = 0;
        for (Message each : added) bytes += each.payload().length;
        for (Pending each : pending) bytes += each.message.payload().length;
        if (bytes > MOST_BYTES)
            throw new OutboxMisuseException("The messages of a transaction have more than " + MOST_BYTES
                    + " bytes. Use more transactions, or append by Outbox.append, which writes at once.");
    }

    @Override
    public void savepoint(Object savepoint) {
        sizeAtSavepoint.put(savepoint, pending.size());
    }

    /** What was appended since is not told of any more, as it did not happen. */
    @Override
    public void savepointRollback(Object savepoint) {
        int size = sizeAtSavepoint.getOrDefault(savepoint, 0);
        if (size < pending.size()) pending.subList(size, pending.size()).clear();
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        if (!pending.isEmpty()) {
            // First what is only noted in a persistence context: messages of a key have the order of the locks on its
            // rows.
            transaction.flush();
            write(List.copyOf(pending));
            pending.clear();
        }
        phase = Phase.WRITTEN;
    }

    private void write(List<Pending> fresh) {
        if (outbox == null || source == null) return;
        SequencedMap<UUID, Message> messages = new LinkedHashMap<>();
        for (Pending each : fresh) messages.put(each.id, each.message);
        Connection connection = DataSourceUtils.getConnection(source);
        try {
            outbox.append(connection, messages);
        } catch (SQLException e) {
            throw translated(e);
        } finally {
            DataSourceUtils.releaseConnection(connection, source);
        }
    }

    private static DataAccessException translated(SQLException e) {
        String task = "append messages to the outbox";
        DataAccessException known = new SQLExceptionSubclassTranslator().translate(task, null, e);
        return known != null ? known : new UncategorizedSQLException(task, null, e);
    }

    @Override
    public void beforeCompletion() {
        phase = Phase.OVER;
    }

    @Override
    public void afterCommit() {
        if (outbox != null) outbox.committed();
    }
}
