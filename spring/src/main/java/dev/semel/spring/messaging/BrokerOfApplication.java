package dev.semel.spring.messaging;

import dev.semel.broker.kafka.KafkaBroker;
import dev.semel.broker.nats.NatsBroker;
import dev.semel.broker.rabbitmq.RabbitMqBroker;
import dev.semel.broker.sqs.SqsBroker;
import dev.semel.messaging.broker.Broker;
import java.util.Arrays;
import org.springframework.util.ClassUtils;

/** Opens the broker that an application names by a URL. */
final class BrokerOfApplication {
    private static final String KNOWN = "Known are kafka://HOST:PORT,HOST:PORT,"
            + " amqp://USER:PASSWORD@HOST:PORT/VIRTUAL-HOST, nats://HOST:PORT, and sqs://REGION.";

    /** Brokers whose artifact an application adds when it uses them. Without it, their class may be named but not touched. */
    private enum Added {
        KAFKA("semel-broker-kafka", "dev.semel.broker.kafka.KafkaBroker", "kafka:") {
            @Override
            Broker opened(String url, String source) {
                return KafkaBroker.open(url, source);
            }
        },
        RABBITMQ("semel-broker-rabbitmq", "dev.semel.broker.rabbitmq.RabbitMqBroker", "amqp: amqps:") {
            @Override
            Broker opened(String url, String source) {
                return RabbitMqBroker.open(url, source);
            }
        },
        NATS("semel-broker-nats", "dev.semel.broker.nats.NatsBroker", "nats: tls:") {
            @Override
            Broker opened(String url, String source) {
                return NatsBroker.open(url, source);
            }
        },
        SQS("semel-broker-sqs", "dev.semel.broker.sqs.SqsBroker", "sqs:") {
            @Override
            Broker opened(String url, String source) {
                return SqsBroker.open(url, source);
            }
        };

        private final String artifact;
        private final String type;
        private final String beginnings;

        /** @param beginnings those of its URLs, with spaces between */
        Added(String artifact, String type, String beginnings) {
            this.artifact = artifact;
            this.type = type;
            this.beginnings = beginnings;
        }

        abstract Broker opened(String url, String source);

        boolean isMeantBy(String url) {
            return Arrays.stream(beginnings.split(" ", -1)).anyMatch(url::startsWith);
        }

        Broker open(String url, String source) {
            if (ClassUtils.isPresent(type, BrokerOfApplication.class.getClassLoader())) return opened(url, source);
            throw new OutboxMisuseException("semel.relay.broker begins with " + beginnings.replace(" ", " or ")
                    + ", which needs the dependency " + artifact + ".");
        }
    }

    private BrokerOfApplication() {}

    static Broker open(String url, String source) {
        try {
            for (Added each : Added.values()) if (each.isMeantBy(url)) return each.open(url, source);
        } catch (IllegalArgumentException e) {
            throw new OutboxMisuseException("semel.relay.broker is no URL of a broker: " + e.getMessage(), e);
        }
        throw new OutboxMisuseException("semel.relay.broker is no URL of a broker. " + KNOWN);
    }
}
