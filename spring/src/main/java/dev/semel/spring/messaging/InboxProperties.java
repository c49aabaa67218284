package dev.semel.spring.messaging;

import dev.semel.messaging.InboxWindow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * For how long the inbox keeps the ids of messages, under {@code semel.inbox}.
 *
 * @param keep for how long. If unset, as long as the other three together; if shorter, the application does not start.
 * @param producerRetries for how long whoever sends messages goes on trying.
 * @param brokerRetention for how long the broker keeps messages that nobody has acknowledged, or that may be read again.
 * @param deadLetterAge how old a dead letter may be when it is sent again.
 */
@ConfigurationProperties("semel.inbox")
public record InboxProperties(
        @Nullable Duration keep,
        @DefaultValue("1d") Duration producerRetries,
        @DefaultValue("7d") Duration brokerRetention,
        @DefaultValue("14d") Duration deadLetterAge) {

    InboxWindow window() {
        try {
            InboxWindow.Latest latest = new InboxWindow.Latest(producerRetries, brokerRetention, deadLetterAge);
            return keep == null ? InboxWindow.covering(latest) : new InboxWindow(keep).requireCovers(latest);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new OutboxMisuseException("semel.inbox: " + e.getMessage(), e);
        }
    }
}
