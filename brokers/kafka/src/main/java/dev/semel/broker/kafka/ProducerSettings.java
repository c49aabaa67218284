package dev.semel.broker.kafka;

import static org.apache.kafka.clients.producer.ProducerConfig.ACKS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BATCH_SIZE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BOOTSTRAP_SERVERS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BUFFER_MEMORY_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.ENABLE_METRICS_PUSH_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.MAX_BLOCK_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.MAX_REQUEST_SIZE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.TRANSACTIONAL_ID_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.TRANSACTION_TIMEOUT_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What producers are set up with. Every time-out is short and known, so that it is known how long a publisher takes at most.
 *
 * @param maxBlock how long one call to a producer takes at most, but for flushing
 * @param delivery how long flushing takes at most
 */
record ProducerSettings(Map<String, Object> values, String namespace, Duration maxBlock, Duration delivery) {
    /** Of one transaction. The memory of a producer is more than that, so sending never waits for memory. */
    static final int MOST_BYTES = 4 * 1024 * 1024;

    private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9._-]{1,200}");
    private static final Duration MARGIN = Duration.ofSeconds(1);

    /** What a relay relies on. */
    private static final List<String> FIXED = List.of(
            ACKS_CONFIG,
            ENABLE_IDEMPOTENCE_CONFIG,
            TRANSACTIONAL_ID_CONFIG,
            KEY_SERIALIZER_CLASS_CONFIG,
            VALUE_SERIALIZER_CLASS_CONFIG);

    private static final Map<String, Object> DEFAULTS = Map.of(
            MAX_BLOCK_MS_CONFIG,
            2500,
            REQUEST_TIMEOUT_MS_CONFIG,
            3000,
            DELIVERY_TIMEOUT_MS_CONFIG,
            6000,
            // The largest message that an outbox takes, with all its headers: what is too large is for Kafka to say.
            MAX_REQUEST_SIZE_CONFIG,
            2 * 1024 * 1024,
            // Taken as it is needed. There is a producer for each of perhaps 16 shards.
            BUFFER_MEMORY_CONFIG,
            4L * MOST_BYTES,
            BATCH_SIZE_CONFIG,
            64 * 1024,
            ENABLE_METRICS_PUSH_CONFIG,
            false);

    static ProducerSettings of(Properties given, String namespace) {
        if (!NAMESPACE.matcher(namespace).matches())
            throw new IllegalArgumentException("The namespace of an outbox in Kafka has 1 to 200 letters, digits and"
                    + " characters . _ -; this one has not: \"" + namespace + "\".");
        Map<String, Object> values = new HashMap<>(DEFAULTS);
        for (String name : given.stringPropertyNames()) {
            if (FIXED.contains(name))
                throw new IllegalArgumentException(
                        "The setting " + name + " of Kafka's producer is Semel's own: it keeps order by it.");
            values.put(name, given.getProperty(name));
        }
        ProducerConfig checked = checked(values);
        Duration maxBlock = Duration.ofMillis(checked.getLong(MAX_BLOCK_MS_CONFIG));
        Duration delivery = Duration.ofMillis(checked.getInt(DELIVERY_TIMEOUT_MS_CONFIG));
        ProducerSettings settings = new ProducerSettings(Map.copyOf(values), namespace, maxBlock, delivery);
        // Longer than any transaction of a publisher that is alive; what a dead one left is ended by its successor.
        values.putIfAbsent(
                TRANSACTION_TIMEOUT_CONFIG,
                Math.toIntExact(settings.longestPublish().plus(MARGIN).toMillis()));
        return new ProducerSettings(Map.copyOf(values), namespace, maxBlock, delivery);
    }

    private static ProducerConfig checked(Map<String, Object> values) {
        try {
            Map<String, Object> all = new HashMap<>(values);
            all.put(KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
            all.put(VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
            return new ProducerConfig(all);
        } catch (ConfigException e) {
            throw new IllegalArgumentException("Kafka's producer cannot be set up so: " + e.getMessage(), e);
        }
    }

    /** For the producer of this shard. */
    Map<String, Object> of(int shard) {
        Map<String, Object> all = new HashMap<>(values);
        all.put(ENABLE_IDEMPOTENCE_CONFIG, true);
        all.put(ACKS_CONFIG, "all");
        all.put(TRANSACTIONAL_ID_CONFIG, "semel-" + namespace + "-" + shard);
        return all;
    }

    String servers() {
        return String.valueOf(values.get(BOOTSTRAP_SERVERS_CONFIG));
    }

    /** After that nothing new is begun. */
    Duration lastBegin() {
        return maxBlock.multipliedBy(5).dividedBy(2);
    }

    /** After that no topic is looked up any more: a look-up is over before {@link #lastBegin}. */
    Duration lastLookup() {
        return maxBlock.multipliedBy(3).dividedBy(2);
    }

    /** The last transaction: it is sent, it is flushed, and it is ended. */
    Duration longestPublish() {
        return lastBegin().plus(maxBlock).plus(delivery).plus(maxBlock).plus(MARGIN);
    }
}
