package dev.semel.broker.kafka;

import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.broker.Delivery;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Whether topics exist. A producer waits its whole time for one that does not, so it is remembered for a while that it does not, for
 * all shards. Safe for use by any thread.
 */
final class TopicLookup {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,249}");

    private final Duration remembered;
    private final Map<String, Long> missingUntil = new ConcurrentHashMap<>();

    TopicLookup(Duration remembered) {
        this.remembered = remembered;
    }

    /** What is said without asking; null when nothing is. */
    @Nullable
    Delivery known(String topic) {
        if (!NAME.matcher(topic).matches()) return invalid(topic);
        Long until = missingUntil.get(topic);
        return until == null || System.nanoTime() - until > 0 ? null : missing(topic);
    }

    /**
     * What becomes of messages of this topic; null when they can be sent. If nobody asked lately, takes as long as a producer may block.
     *
     * @throws BrokerException when Kafka cannot be reached
     */
    @Nullable
    Delivery refusal(Producer<?, ?> producer, String topic) {
        Delivery known = known(topic);
        if (known != null) return known;
        try {
            producer.partitionsFor(topic);
            missingUntil.remove(topic);
            return null;
        } catch (InvalidTopicException e) {
            return invalid(topic);
        } catch (TopicAuthorizationException e) {
            return forbidden(topic);
        } catch (TimeoutException e) {
            if (!(e.getCause() instanceof UnknownTopicOrPartitionException))
                throw new BrokerException("Kafka cannot be reached: " + e.getMessage(), e);
            missingUntil.put(topic, System.nanoTime() + remembered.toNanos());
            return missing(topic);
        } catch (KafkaException e) {
            throw new BrokerException("Kafka does not say where topic " + topic + " is: " + e.getMessage(), e);
        }
    }

    static Delivery missing(String topic) {
        return new Delivery.Retry(
                "Kafka has no topic " + topic + ": make it, or let Kafka make topics by itself"
                        + " (auto.create.topics.enable)",
                Delivery.Cause.MESSAGE);
    }

    static Delivery invalid(String topic) {
        return new Delivery.Dead(
                "invalid-topic",
                "Kafka has no topics with such a name; it takes 1 to 249 letters, digits and . _ -: " + topic);
    }

    static Delivery forbidden(String topic) {
        return new Delivery.Retry("Kafka does not allow this user to write to topic " + topic, Delivery.Cause.MESSAGE);
    }
}
