package dev.semel.spring.messaging;

import dev.semel.messaging.relay.RelaySettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the relay that runs in the application, under {@code semel.relay}.
 *
 * @param enabled whether this process sends messages. Where it does not, another one has to.
 * @param broker where messages are sent, such as kafka://HOST:PORT,HOST:PORT. If unset, a bean of type Broker says where; without
 *     one, nothing is sent from here.
 * @param source which application the messages come from, as a URI reference; the same in all its processes, and in no other
 *     application. If unset, a slash and spring.application.name.
 * @param lease for how long messages of a shard wait at most when the process that sends them dies.
 * @param batch how many messages of a shard are sent at once, at most.
 * @param idlePoll how long to wait between looks for messages that other processes have appended, at most.
 * @param attempts how often a message is tried that the broker refuses, before it becomes a dead letter.
 */
@ConfigurationProperties("semel.relay")
public record RelayProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String broker,
        @Nullable String source,
        @DefaultValue("30s") Duration lease,
        @DefaultValue("500") int batch,
        @DefaultValue("200ms") Duration idlePoll,
        @DefaultValue("10") int attempts) {

    RelaySettings settings() {
        try {
            return RelaySettings.DEFAULT
                    .withLease(lease)
                    .withBatch(batch)
                    .withPolls(RelaySettings.DEFAULT.busyPoll(), idlePoll)
                    .withAttempts(attempts);
        } catch (IllegalArgumentException e) {
            throw new OutboxMisuseException("The settings under semel.relay cannot work: " + e.getMessage(), e);
        }
    }

    /** @param application its name; null when it has none */
    String sourceOr(@Nullable String application) {
        if (source != null && !source.isBlank()) return source;
        if (application != null && !application.isBlank()) return "/" + application;
        throw new OutboxMisuseException("The messages have no source: set spring.application.name or"
                + " semel.relay.source. Receivers see it, and Kafka tells the senders of applications apart by it.");
    }
}
