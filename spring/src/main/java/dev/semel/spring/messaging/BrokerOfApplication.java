package dev.semel.spring.messaging;

import dev.semel.broker.kafka.KafkaBroker;
import dev.semel.messaging.broker.Broker;
import org.springframework.util.ClassUtils;

/** Opens the broker that an application names by a URL. */
final class BrokerOfApplication {
    private static final String KNOWN = "Known is kafka://HOST:PORT,HOST:PORT.";

    /** Brokers whose artifact an application adds when it uses them. Without it, their class may be named but not touched. */
    private enum Added {
        KAFKA("kafka:", "semel-broker-kafka", "dev.semel.broker.kafka.KafkaBroker") {
            @Override
            Broker opened(String url, String source) {
                return KafkaBroker.open(url, source);
            }
        };

        private final String beginning;
        private final String artifact;
        private final String type;

        Added(String beginning, String artifact, String type) {
            this.beginning = beginning;
            this.artifact = artifact;
            this.type = type;
        }

        abstract Broker opened(String url, String source);

        Broker open(String url, String source) {
            if (ClassUtils.isPresent(type, BrokerOfApplication.class.getClassLoader())) return opened(url, source);
            throw new OutboxMisuseException(
                    "semel.relay.broker begins with " + beginning + ", which needs the dependency " + artifact + ".");
        }
    }

    private BrokerOfApplication() {}

    static Broker open(String url, String source) {
        try {
            for (Added each : Added.values()) if (url.startsWith(each.beginning)) return each.open(url, source);
        } catch (IllegalArgumentException e) {
            throw new OutboxMisuseException("semel.relay.broker is no URL of a broker: " + e.getMessage(), e);
        }
        throw new OutboxMisuseException("semel.relay.broker is no URL of a broker. " + KNOWN);
    }
}
