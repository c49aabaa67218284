package dev.semel.spring.messaging;

import dev.semel.messaging.Inbox;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.broker.Broker;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * The outbox and the inbox in the database of the application, where it has the dependency {@code semel-messaging}. They are made,
 * with their tables, when a bean or a relay asks for them: an application that uses neither has neither.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@ConditionalOnClass(
        name = {
            "dev.semel.messaging.Outbox",
            "org.springframework.jdbc.datasource.DataSourceUtils",
            "org.springframework.transaction.support.TransactionSynchronizationManager"
        })
@EnableConfigurationProperties({RelayProperties.class, InboxProperties.class})
public class SemelMessagingAutoConfiguration {

    @Bean
    @Lazy
    MessageDataSource semelMessageDataSource(ObjectProvider<DataSource> sources) {
        return MessageDataSource.one(sources);
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    Outbox semelOutbox(MessageDataSource database) {
        return made("outbox", () -> Outbox.open(database.source()));
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    OutboxTemplate semelOutboxTemplate(Outbox outbox, MessageDataSource database) {
        return new OutboxTemplate(outbox, database.source());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static PendingMessagesRegistrar semelPendingMessagesRegistrar() {
        return new PendingMessagesRegistrar();
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    Inbox semelInbox(MessageDataSource database, InboxProperties settings, InboxExpiry expiry) {
        return expiry.of(made("inbox", () -> Inbox.open(database.source(), settings.window())));
    }

    @Bean
    @Lazy
    InboxExpiry semelInboxExpiry() {
        return new InboxExpiry();
    }

    @Bean
    @Conditional(BrokerIsNamed.class)
    @ConditionalOnMissingBean
    Broker semelBroker(RelayProperties settings, Environment environment) {
        return BrokerOfApplication.open(
                String.valueOf(settings.broker()),
                settings.sourceOr(environment.getProperty("spring.application.name")));
    }

    private static <T> T made(String what, Callable<T> open) {
        try {
            return open.call();
        } catch (IllegalStateException e) {
            if (e instanceof OutboxMisuseException misuse) throw misuse;
            throw new OutboxMisuseException(
                    "There can be no " + what + " in the database of the application's DataSource. " + e.getMessage(),
                    e);
        } catch (SQLException e) {
            throw new OutboxMisuseException(
                    "The " + what + " cannot be opened: the database does not answer, or its tables cannot be made.",
                    e);
        } catch (Exception e) {
            throw new OutboxMisuseException("The " + what + " cannot be opened.", e);
        }
    }
}
