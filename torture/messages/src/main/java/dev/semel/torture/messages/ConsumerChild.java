package dev.semel.torture.messages;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.broker.kafka.KafkaReceiver;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.InboxWindow;
import dev.semel.messaging.consume.ConsumerEvent;
import dev.semel.messaging.consume.Receiver;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A consumer as a process: each message has an effect, a row in the inbox's database. Arguments: store, broker, name, topic. */
public final class ConsumerChild {
    private static final Logger LOG = LoggerFactory.getLogger(ConsumerChild.class);

    private ConsumerChild() {}

    public static void main(String[] args) throws Exception {
        try (HikariDataSource database = Databases.pool(args[0], 6)) {
            Inbox inbox = Inbox.open(database, new InboxWindow(Duration.ofDays(30)));
            Receiver receiver = Receiver.of(
                    inbox,
                    "torture",
                    (transaction, message) -> effect(transaction, String.valueOf(message.id()), args[2]));
            try (AutoCloseable receiving = start(args[1], receiver, args[3])) {
                LOG.info("receiving: {}", receiving);
                Thread.currentThread().join();
            }
        }
    }

    /** Whatever the broker is. */
    private static AutoCloseable start(String broker, Receiver receiver, String topic) {
        if (broker.startsWith("kafka://"))
            return KafkaReceiver.of(broker, receiver)
                    .topics(topic)
                    .deadLettersTo(topic + ".dead")
                    .heardBy(ConsumerChild::tell)
                    .start();
        throw new IllegalArgumentException("There is no consumer for " + broker.replaceAll("//.*", "//…") + ".");
    }

    private static void effect(Connection transaction, String message, String consumer) throws SQLException {
        try (PreparedStatement insert =
                transaction.prepareStatement("insert into torture_effect (message_id, consumer) values (?, ?)")) {
            insert.setString(1, message);
            insert.setString(2, consumer);
            insert.executeUpdate();
        }
    }

    private static void tell(ConsumerEvent event) {
        if (!(event instanceof ConsumerEvent.Handled)) LOG.info("{}", event);
    }
}
