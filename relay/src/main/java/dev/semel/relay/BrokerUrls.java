package dev.semel.relay;

import dev.semel.broker.kafka.KafkaBroker;
import dev.semel.broker.nats.NatsBroker;
import dev.semel.broker.sqs.SqsBroker;
import dev.semel.messaging.broker.Broker;

/** The brokers by what their URLs begin with. */
final class BrokerUrls {
    private BrokerUrls() {}

    static Broker open(String url, String source) {
        if (url.startsWith("kafka://")) return KafkaBroker.open(url, source);
        if (url.startsWith("nats://") || url.startsWith("tls://")) return NatsBroker.open(url, source);
        if (url.startsWith("sqs://")) return SqsBroker.open(url, source);
        throw new IllegalArgumentException("There is no broker with a URL such as '" + url.replaceAll("//.*", "//…")
                + "'. Known are kafka://HOST:PORT,HOST:PORT, nats://HOST:PORT,HOST:PORT, tls://HOST:PORT (NATS) and"
                + " sqs://REGION.");
    }
}
