package dev.semel.broker.sqs;

import dev.semel.messaging.Inbox;
import dev.semel.messaging.consume.IncomingMessage;
import dev.semel.messaging.consume.Receiver;
import java.sql.Connection;

/** What docs/brokers/sqs.md shows. It is compiled, and not run: there is no such server here. */
final class SqsGuide {
    private SqsGuide() {}

    static SqsConsumer receive(Inbox inbox) {
        SqsConsumer consumer = SqsConsumer.of("sqs://eu-central-1", "orders.fifo")
                .withReceivers(4)
                .start(Receiver.of(inbox, "billing", (transaction, message) -> bill(transaction, message)));
        return consumer;
    }

    private static void bill(Connection transaction, IncomingMessage message) {}
}
