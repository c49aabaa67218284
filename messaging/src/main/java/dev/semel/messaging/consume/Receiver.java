package dev.semel.messaging.consume;

import dev.semel.messaging.Inbox;
import dev.semel.messaging.message.OrderedKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Handles messages, whatever broker they come from: each in a transaction with the note that it was received. A batch is one
 * transaction; when a handler fails in it, all of it is rolled back, and its messages are handled one by one. Safe for use by any
 * thread.
 */
public final class Receiver {
    private static final Duration BETWEEN_EXPIRIES = Duration.ofMinutes(1);

    private final Inbox inbox;
    private final String consumer;
    private final MessageHandler handler;
    private final AtomicLong nextExpiry = new AtomicLong(System.nanoTime());

    private Receiver(Inbox inbox, String consumer, MessageHandler handler) {
        this.inbox = inbox;
        this.consumer = consumer;
        this.handler = handler;
    }

    /**
     * @param inbox in the database in which the handler writes
     * @param consumer who receives; consumers with different names each have every message once
     */
    public static Receiver of(Inbox inbox, String consumer, MessageHandler handler) {
        inbox.requireConsumer(consumer);
        return new Receiver(inbox, consumer, handler);
    }

    public Inbox inbox() {
        return inbox;
    }

    public String consumer() {
        return consumer;
    }

    /**
     * Handles these, those of a key in their order. Of a key nothing is handled behind a message that is not done.
     *
     * @return what became of each, in the same order
     */
    public List<Reception> receive(List<IncomingMessage> messages) throws InterruptedException {
        Batch batch = new Batch(messages);
        List<Integer> good = batch.rejectUnidentified(inbox);
        if (good.isEmpty()) return batch.receptions();
        if (good.size() == 1 || !together(batch, good)) for (int place : good) alone(batch, place);
        forgetNowAndThen();
        return batch.receptions();
    }

    /** @return whether every one of them has an answer; if not, nothing was done */
    private boolean together(Batch batch, List<Integer> places) throws InterruptedException {
        try (Connection transaction = inbox.begin()) {
            List<Reception> done = new ArrayList<>();
            try {
                Set<String> first = new HashSet<>(inbox.firstTimes(transaction, consumer, batch.ids(places)));
                String noted = first.stream().findAny().orElse(null);
                for (int place : places) {
                    boolean isFirst = first.remove(batch.id(place));
                    if (isFirst) handle(transaction, batch.message(place));
                    done.add(new Reception.Done(isFirst));
                }
                commit(transaction, noted);
            } catch (HandlerFailure e) {
                transaction.rollback();
                return false;
            }
            for (int i = 0; i < places.size(); i++) batch.settle(places.get(i), done.get(i));
        } catch (SQLException e) {
            places.forEach(place -> batch.settle(place, away(e)));
        }
        return true;
    }

    private void alone(Batch batch, int place) throws InterruptedException {
        if (batch.isBehind(place)) {
            batch.settle(place, new Reception.Behind());
            return;
        }
        try (Connection transaction = inbox.begin()) {
            try {
                boolean first = inbox.firstTime(transaction, consumer, batch.id(place));
                if (first) handle(transaction, batch.message(place));
                commit(transaction, first ? batch.id(place) : null);
                batch.settle(place, new Reception.Done(first));
            } catch (HandlerFailure e) {
                batch.settle(place, e.reception(transaction));
                transaction.rollback();
            }
        } catch (SQLException e) {
            batch.settle(place, away(e));
        }
    }

    private void handle(Connection transaction, IncomingMessage message)
            throws HandlerFailure, SQLException, InterruptedException {
        try {
            handler.handle(HandlerConnection.of(transaction), message);
        } catch (InterruptedException e) {
            transaction.rollback();
            throw e;
        } catch (Throwable e) {
            // An error too: a message that makes the handler run out of stack would be tried for ever.
            throw new HandlerFailure(e);
        }
    }

    /**
     * A failure that the handler has swallowed, or a deferred constraint, may be noticed only now: that is the effect's fault, and
     * no broken connection.
     *
     * @param noted a message that this transaction has written down; null for none
     */
    private void commit(Connection transaction, @Nullable String noted) throws HandlerFailure, SQLException {
        try {
            if (noted != null) inbox.requireNoted(transaction, consumer, noted);
            // I1: the effect is done, and nothing is committed.
            transaction.commit();
            // I2: committed, and the broker not told.
        } catch (IllegalStateException e) {
            throw new HandlerFailure(e);
        } catch (SQLException e) {
            if (transaction.isValid(1)) throw new HandlerFailure(e);
            throw e;
        }
    }

    private static Reception away(SQLException e) {
        return new Reception.Away(String.valueOf(e.getMessage()));
    }

    private void forgetNowAndThen() {
        long due = nextExpiry.get();
        if (System.nanoTime() - due < 0 || !nextExpiry.compareAndSet(due, due + BETWEEN_EXPIRIES.toNanos())) return;
        try {
            inbox.expire();
        } catch (SQLException e) {
            // It is only late; and if the database is away, the next message tells.
        }
    }

    /** What a handler threw, told from what the database did. */
    private static final class HandlerFailure extends Exception {
        private final transient Throwable thrown;

        HandlerFailure(Throwable thrown) {
            super(thrown);
            this.thrown = thrown;
        }

        Reception reception(Connection transaction) throws SQLException {
            if (thrown instanceof RejectedMessageException)
                return new Reception.Rejected(String.valueOf(thrown.getMessage()));
            if (!transaction.isValid(1)) return new Reception.Away("the connection broke: " + thrown.getMessage());
            return new Reception.Failed(thrown);
        }
    }

    /** Messages and what is known of each. */
    private static final class Batch {
        private final List<IncomingMessage> messages;
        private final @Nullable Reception[] receptions;
        private final Set<OrderedKey> stuck = new HashSet<>();

        Batch(List<IncomingMessage> messages) {
            this.messages = messages;
            this.receptions = new Reception[messages.size()];
        }

        List<Integer> rejectUnidentified(Inbox inbox) {
            List<Integer> good = new ArrayList<>();
            for (int place = 0; place < messages.size(); place++) {
                String problem = inbox.problemOf(messages.get(place).id());
                if (problem == null) good.add(place);
                else receptions[place] = new Reception.Rejected(problem);
            }
            return good;
        }

        IncomingMessage message(int place) {
            return messages.get(place);
        }

        String id(int place) {
            return String.valueOf(messages.get(place).id());
        }

        List<String> ids(List<Integer> places) {
            return places.stream().map(this::id).toList();
        }

        boolean isBehind(int place) {
            OrderedKey order = order(place);
            return order != null && stuck.contains(order);
        }

        void settle(int place, Reception reception) {
            receptions[place] = reception;
            OrderedKey order = order(place);
            // What is rejected never comes back, so nothing waits for it.
            boolean over = reception instanceof Reception.Done || reception instanceof Reception.Rejected;
            if (!over && order != null) stuck.add(order);
        }

        private @Nullable OrderedKey order(int place) {
            String key = messages.get(place).key();
            return key == null ? null : new OrderedKey(messages.get(place).topic(), key);
        }

        List<Reception> receptions() {
            return List.of(receptions);
        }
    }
}
