package dev.semel.relay;

import dev.semel.broker.kafka.KafkaBroker;
import dev.semel.broker.nats.NatsBroker;
import dev.semel.broker.rabbitmq.RabbitMqBroker;
import dev.semel.broker.sqs.SqsBroker;
import dev.semel.broker.webhook.WebhookBroker;
import dev.semel.broker.webhook.WebhookSettings;
import dev.semel.messaging.broker.Broker;
import java.sql.SQLException;

/** The brokers by what their URLs begin with. */
final class BrokerUrls {
    private BrokerUrls() {}

    /** @throws SQLException when the broker has tables in the database of the outbox, and it cannot be reached */
    static Broker open(String url, String source, WebhookParts webhooks) throws SQLException {
        if (url.startsWith("webhook:"))
            return WebhookBroker.open(
                    webhooks.database(), WebhookSettings.parse(url).with(webhooks.seal()), webhooks.report());
        if (url.startsWith("kafka://")) return KafkaBroker.open(url, source);
        if (url.startsWith("amqp://") || url.startsWith("amqps://")) return RabbitMqBroker.open(url, source);
        if (url.startsWith("nats://") || url.startsWith("tls://")) return NatsBroker.open(url, source);
        if (url.startsWith("sqs://")) return SqsBroker.open(url, source);
        throw new IllegalArgumentException("There is no broker with a URL such as '" + url.replaceAll("//.*", "//…")
                + "'. Known are kafka://HOST:PORT,HOST:PORT, amqp://USER:PASSWORD@HOST:PORT/VIRTUAL-HOST,"
                + " nats://HOST:PORT,HOST:PORT, tls://HOST:PORT (NATS), sqs://REGION and webhook:.");
    }
}
