package dev.semel.spring.messaging;

import dev.semel.messaging.Outbox;
import dev.semel.messaging.message.Message;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Appends messages to the outbox in the current transaction of Spring:
 *
 * <pre>{@code
 * @Transactional
 * public void pay(Order order) {
 *     orders.markPaid(order.id());
 *     outbox.append(Message.of("orders", "order.paid", json(order)).withKey(order.id()));
 * }
 * }</pre>
 *
 * <p>The messages of a transaction are collected, and written by one statement just before it commits; what fails then, fails the
 * commit. When the transaction, or a nested one, is rolled back, so are its messages. For use by any thread.
 */
public final class OutboxTemplate {
    private final Outbox outbox;
    private final MessageDataSource source;

    /** @param source of the database with the outbox, as transaction managers know it */
    public OutboxTemplate(Outbox outbox, DataSource source) {
        this.outbox = outbox;
        this.source = MessageDataSource.of(source);
    }

    /**
     * Appends a message: it is sent if the current transaction commits.
     *
     * @return its id, which it keeps wherever it goes: a UUID of version 7
     * @throws OutboxMisuseException when there is no transaction in which it could be written; nothing is
     */
    public UUID append(Message message) {
        return append(List.of(message)).getFirst();
    }

    /** Appends these messages, in this order. */
    public List<UUID> append(List<Message> messages) {
        return pending().append(outbox, source, messages);
    }

    private PendingMessages pending() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive())
            throw new OutboxMisuseException("There is no transaction to append a message to. Append it in a"
                    + " @Transactional method, beside what it tells of.");
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly())
            throw new OutboxMisuseException("The transaction is read-only, so no message can be appended in it.");
        for (TransactionSynchronization each : TransactionSynchronizationManager.getSynchronizations())
            if (each instanceof PendingMessages pending && pending.isOf(source)) return pending;
        throw new OutboxMisuseException("The transaction is not one of the database with the outbox, or was begun by a"
                + " transaction manager that is no bean. Use the transaction manager of that DataSource, or append by"
                + " Outbox.append on a connection of yours.");
    }
}
