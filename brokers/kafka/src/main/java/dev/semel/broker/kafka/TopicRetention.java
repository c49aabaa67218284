package dev.semel.broker.kafka;

import dev.semel.messaging.broker.BrokerException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * For how long Kafka may keep a message of some topics, as it says itself. It deletes whole segments, so a message may be there for
 * as long as a segment grows, and then for its retention.
 */
final class TopicRetention {
    private static final long PATIENCE_SECONDS = 15;

    /** Kafka looks for what it may delete every five minutes, and deletes it a minute later. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(6);

    private TopicRetention() {}

    /**
     * The longest of these topics.
     *
     * @return null when one of them is kept for ever
     * @throws IllegalStateException when there is no such topic
     * @throws BrokerException when Kafka does not say
     */
    static @Nullable Duration longest(Admin admin, Collection<String> topics) {
        Duration longest = Duration.ZERO;
        for (Config config : configs(admin, topics)) {
            Duration retention = of(config);
            if (retention == null) return null;
            if (retention.compareTo(longest) > 0) longest = retention;
        }
        return longest;
    }

    private static @Nullable Duration of(Config config) {
        boolean deletes = value(config, TopicConfig.CLEANUP_POLICY_CONFIG).contains(TopicConfig.CLEANUP_POLICY_DELETE);
        long retention = Long.parseLong(value(config, TopicConfig.RETENTION_MS_CONFIG));
        if (!deletes || retention < 0) return null;
        long segment = Long.parseLong(value(config, TopicConfig.SEGMENT_MS_CONFIG));
        return Duration.ofMillis(retention).plusMillis(segment).plus(BETWEEN_LOOKS);
    }

    private static String value(Config config, String name) {
        return String.valueOf(config.get(name).value());
    }

    static void requireExists(Admin admin, String topic) {
        configs(admin, List.of(topic));
    }

    private static Collection<Config> configs(Admin admin, Collection<String> topics) {
        List<ConfigResource> resources = topics.stream()
                .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
                .toList();
        Map<ConfigResource, org.apache.kafka.common.KafkaFuture<Config>> asked =
                admin.describeConfigs(resources).values();
        List<Config> configs = new ArrayList<>();
        asked.forEach((resource, config) -> configs.add(answer(resource.name(), config)));
        return configs;
    }

    private static Config answer(String topic, org.apache.kafka.common.KafkaFuture<Config> config) {
        try {
            return config.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException)
                throw new IllegalStateException("Kafka has no topic " + topic + ".", e);
            throw unknown(topic, e);
        } catch (TimeoutException | KafkaException e) {
            throw unknown(topic, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unknown(topic, e);
        }
    }

    private static BrokerException unknown(String topic, Exception e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return new BrokerException("Kafka does not say how topic " + topic + " is set up: " + cause, e);
    }
}
