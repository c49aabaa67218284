package dev.semel.examples.demo.messages;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.messaging.Inbox;
import dev.semel.messaging.InboxWindow;
import dev.semel.messaging.consume.IncomingMessage;
import dev.semel.messaging.consume.Receiver;
import dev.semel.messaging.consume.Reception;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** Writes an invoice for each message about an order. The two kinds differ in nothing but the inbox. */
final class Billing implements AutoCloseable {
    private static final int BATCH = 20;
    private static final Duration DOWN = Duration.ofSeconds(2);

    private interface Receiving {
        /** @return whether it is done, and may be acknowledged */
        boolean receive(IncomingMessage message) throws SQLException, InterruptedException;
    }

    private final BadBroker broker;
    private final Receiving receiving;
    private final AtomicBoolean crash = new AtomicBoolean();
    private final Thread thread;
    final AtomicLong absorbed = new AtomicLong();
    private volatile boolean up = true;
    private volatile boolean closed;

    Billing(BadBroker broker, DataSource database, boolean withInbox) throws SQLException {
        this.broker = broker;
        this.receiving = withInbox ? withInbox(database) : withoutInbox(database);
        this.thread = Thread.ofVirtual().name("demo-billing").start(this::run);
    }

    private Receiving withInbox(DataSource database) throws SQLException {
        Inbox inbox = Inbox.open(database, new InboxWindow(Duration.ofDays(30)));
        Receiver receiver = Receiver.of(inbox, "billing", Billing::insert);
        return message -> {
            Reception reception = receiver.receive(List.of(message)).getFirst();
            if (reception instanceof Reception.Done(boolean first) && !first) absorbed.incrementAndGet();
            return reception instanceof Reception.Done;
        };
    }

    private static Receiving withoutInbox(DataSource database) {
        return message -> {
            try (Connection connection = database.getConnection()) {
                connection.setAutoCommit(false);
                insert(connection, message);
                connection.commit();
                return true;
            }
        };
    }

    private static void insert(Connection transaction, IncomingMessage message) throws SQLException {
        OrderPlaced order = OrderPlaced.parse(new String(message.payload(), UTF_8));
        try (PreparedStatement insert =
                transaction.prepareStatement("insert into invoice (order_id, cents) values (?, ?)")) {
            insert.setString(1, order.id());
            insert.setLong(2, order.cents());
            insert.executeUpdate();
        }
    }

    private void run() {
        try {
            while (!closed) {
                for (IncomingMessage each : broker.next(BATCH)) bill(each);
                if (crash.getAndSet(false)) {
                    Thread.sleep(DOWN);
                    up = true;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A crash comes where it hurts: the invoice is committed, and the broker has not heard so. */
    private void bill(IncomingMessage message) throws InterruptedException {
        boolean done = false;
        try {
            done = receiving.receive(message);
        } catch (SQLException e) {
            System.getLogger(Billing.class.getName()).log(System.Logger.Level.DEBUG, "It comes again", e);
        }
        if (done && !crash.get()) broker.acknowledge(message);
        else broker.deliverAgain(message);
    }

    /** It dies with the messages that it has in hand, and is back in two seconds. */
    void crash() {
        up = false;
        crash.set(true);
    }

    boolean isUp() {
        return up;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
