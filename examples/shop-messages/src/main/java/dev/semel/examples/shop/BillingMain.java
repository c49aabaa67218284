package dev.semel.examples.shop;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.InboxWindow;
import dev.semel.messaging.consume.IncomingMessage;
import dev.semel.messaging.consume.Receiver;
import dev.semel.messaging.consume.Reception;
import dev.semel.messaging.consume.RejectedMessageException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Billing as a process: writes an invoice for each message about an order, in the transaction in which the inbox notes the message. */
public final class BillingMain {
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The relay tries for a day at most, Kafka keeps messages for a week, and dead letters are sent again for two. */
    private static final InboxWindow WINDOW =
            InboxWindow.covering(new InboxWindow.Latest(Duration.ofDays(1), Duration.ofDays(7), Duration.ofDays(14)));

    private BillingMain() {}

    /** @param arguments the URL of its database, and the addresses of Kafka */
    public static void main(String[] arguments) throws InterruptedException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(arguments[0]);
        config.setMaximumPoolSize(2);
        config.setConnectionTimeout(Duration.ofSeconds(2).toMillis());
        config.setInitializationFailTimeout(-1);
        HikariDataSource database = new HikariDataSource(config);
        Receiver receiver = Receiver.of(inbox(database), "billing", BillingMain::bill);
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", arguments[1],
                "group.id", "billing",
                // Whoever takes its place after a crash need not wait until the group has missed it.
                "group.instance.id", "billing-1",
                "isolation.level", "read_committed",
                "auto.offset.reset", "earliest",
                "enable.auto.commit", false);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of("orders"));
            System.out.println("billing is ready");
            while (true) receive(consumer, receiver);
        }
    }

    /** Waits for its database. */
    private static Inbox inbox(HikariDataSource database) throws InterruptedException {
        while (true)
            try (Connection connection = database.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("create table if not exists invoice (number bigint generated always as identity"
                        + " primary key, order_id text not null, cents bigint not null, message_id text not null)");
                return Inbox.open(database, WINDOW);
            } catch (SQLException e) {
                System.out.println("The database does not answer: " + e.getMessage());
                Thread.sleep(PAUSE);
            }
    }

    /** What is not done is read again: for what is done the inbox makes that harmless. */
    private static void receive(KafkaConsumer<byte[], byte[]> consumer, Receiver receiver) throws InterruptedException {
        try {
            ConsumerRecords<byte[], byte[]> records = consumer.poll(PAUSE);
            List<IncomingMessage> messages = new ArrayList<>();
            for (ConsumerRecord<byte[], byte[]> each : records) messages.add(incoming(each));
            if (messages.isEmpty()) return;
            List<Reception> receptions = receiver.receive(messages);
            if (receptions.stream().allMatch(it -> it instanceof Reception.Done || it instanceof Reception.Rejected)) {
                consumer.commitSync();
                return;
            }
            System.out.println("To be read again: " + receptions.getLast());
            for (TopicPartition each : records.partitions())
                consumer.seek(each, records.records(each).getFirst().offset());
            Thread.sleep(PAUSE);
        } catch (KafkaException e) {
            System.out.println("Kafka does not answer: " + e.getMessage());
            Thread.sleep(PAUSE);
        }
    }

    private static IncomingMessage incoming(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new HashMap<>();
        for (Header each : record.headers())
            headers.put(each.key().replaceFirst("^ce_", ""), new String(each.value(), UTF_8));
        return new IncomingMessage(
                headers.get("id"), record.topic(), text(record.key()), headers.get("type"), headers, record.value());
    }

    private static @Nullable String text(byte @Nullable [] bytes) {
        return bytes == null ? null : new String(bytes, UTF_8);
    }

    /** An outbox of billing's own would tell of the invoice from here, by this connection: to a webhook, for instance. */
    private static void bill(Connection transaction, IncomingMessage message) throws Exception {
        OrderRequest order = parse(message);
        try (PreparedStatement insert =
                transaction.prepareStatement("insert into invoice (order_id, cents, message_id) values (?, ?, ?)")) {
            insert.setString(1, order.order());
            insert.setLong(2, order.cents());
            insert.setString(3, message.id());
            insert.executeUpdate();
        }
    }

    private static OrderRequest parse(IncomingMessage message) throws RejectedMessageException {
        try {
            return JSON.readValue(message.payload(), OrderRequest.class);
        } catch (IOException e) {
            throw new RejectedMessageException("It is no order.", e);
        }
    }
}
