package dev.semel.spring.messaging;

import dev.semel.messaging.Outbox;
import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.relay.RelayEvent;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** A relay in the application, where there is a broker to send to. */
@AutoConfiguration(after = SemelMessagingAutoConfiguration.class)
@ConditionalOnBean(type = {"dev.semel.messaging.broker.Broker", "dev.semel.spring.messaging.MessageDataSource"})
@ConditionalOnProperty(name = "semel.relay.enabled", matchIfMissing = true)
public class SemelRelayAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    RelayOfApplication semelRelay(
            Outbox outbox,
            ObjectProvider<Broker> brokers,
            RelayProperties settings,
            Environment environment,
            ObjectProvider<RelayEvent.Listener> listeners) {
        Broker broker = brokers.getIfUnique();
        if (broker == null)
            throw new OutboxMisuseException(
                    "There are several beans of type Broker, and a relay sends to one: mark one @Primary.");
        String name = environment.getProperty("spring.application.name", "spring");
        return new RelayOfApplication(
                outbox, broker, name, settings.settings(), () -> heardBy(listeners.orderedStream()));
    }

    private static List<RelayEvent.Listener> heardBy(Stream<RelayEvent.Listener> given) {
        return Stream.concat(Stream.of(new RelayLog()), given).toList();
    }
}
