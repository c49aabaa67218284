package dev.semel.broker.kafka;

import dev.semel.messaging.Inbox;
import dev.semel.messaging.consume.IncomingMessage;
import dev.semel.messaging.consume.Receiver;
import java.sql.Connection;

/** What the page on Kafka shows, so that it compiles. */
final class KafkaGuide {
    private KafkaGuide() {}

    static void receive(Inbox inbox) throws InterruptedException {
        Receiver billing = Receiver.of(inbox, "billing", (transaction, message) -> bill(transaction, message));
        try (KafkaReceiver receiver = KafkaReceiver.of("kafka://kafka-1:9092", billing)
                .topics("orders")
                .deadLettersTo("orders.billing.dead")
                .start()) {
            receiver.awaitEnd();
        }
    }

    private static void bill(Connection transaction, IncomingMessage message) {}
}
