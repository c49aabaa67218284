package dev.semel.spring.messaging;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** An application that names a broker and lacks what sends to it does not start, rather than never send anything. */
@AutoConfiguration
@ConditionalOnMissingClass("dev.semel.messaging.Outbox")
@Conditional(BrokerIsNamed.class)
public class SemelMissingMessagingAutoConfiguration {
    @Bean
    InitializingBean semelMessagingIsMissing() {
        return () -> {
            throw new OutboxMisuseException(
                    "semel.relay.broker is set, which needs the dependency semel-messaging, and one for the broker"
                            + " such as semel-broker-kafka.");
        };
    }
}
