package dev.semel.broker.nats;

import dev.semel.messaging.Inbox;
import dev.semel.messaging.consume.IncomingMessage;
import dev.semel.messaging.consume.Receiver;
import java.sql.Connection;

/** What docs/brokers/nats.md shows. It is compiled, and not run: there is no such server here. */
final class NatsGuide {
    private NatsGuide() {}

    static NatsConsumer receive(Inbox inbox) {
        NatsConsumer consumer = NatsConsumer.of("nats://nats-1:4222", "ORDERS", "billing")
                .only("orders.>")
                .deadLettersTo("dead.billing")
                .start(Receiver.of(inbox, "billing", (transaction, message) -> bill(transaction, message)));
        return consumer;
    }

    private static void bill(Connection transaction, IncomingMessage message) {}
}
