package dev.semel.relay;

import dev.semel.broker.kafka.KafkaBroker;
import dev.semel.broker.rabbitmq.RabbitMqBroker;
import dev.semel.messaging.broker.Broker;

/** The brokers by what their URLs begin with. */
final class BrokerUrls {
    private BrokerUrls() {}

    static Broker open(String url, String source) {
        if (url.startsWith("kafka://")) return KafkaBroker.open(url, source);
        if (url.startsWith("amqp://") || url.startsWith("amqps://")) return RabbitMqBroker.open(url, source);
        throw new IllegalArgumentException("There is no broker with a URL such as '" + url.replaceAll("//.*", "//…")
                + "'. Known are kafka://HOST:PORT,HOST:PORT and amqp://USER:PASSWORD@HOST:PORT/VIRTUAL-HOST.");
    }
}
