package dev.semel.broker.kafka;

import static org.apache.kafka.clients.consumer.ConsumerConfig.AUTO_OFFSET_RESET_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.GROUP_ID_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.GROUP_PROTOCOL_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.ISOLATION_LEVEL_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.MAX_POLL_RECORDS_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG;
import static org.apache.kafka.clients.consumer.ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** What the clients of a receiver are set up with: its consumer, its producer of dead letters, and whoever asks about topics. */
record ConsumerSettings(Map<String, Object> values, int batch) {

    /** What a receiver relies on. */
    private static final List<String> FIXED = List.of(
            ENABLE_AUTO_COMMIT_CONFIG,
            ISOLATION_LEVEL_CONFIG,
            KEY_DESERIALIZER_CLASS_CONFIG,
            VALUE_DESERIALIZER_CLASS_CONFIG);

    /** Larger than what a topic takes, with the headers that tell why: what is too large is for Kafka to say. */
    private static final int LARGEST_LETTER = 32 * 1024 * 1024;

    static ConsumerSettings of(Properties given, String group) {
        Map<String, Object> values = new HashMap<>();
        values.put(GROUP_ID_CONFIG, group);
        // A group that is new, or was forgotten, begins where nothing is passed over: duplicates do no harm.
        values.put(AUTO_OFFSET_RESET_CONFIG, "earliest");
        values.put(ENABLE_METRICS_PUSH_CONFIG, false);
        for (String name : given.stringPropertyNames()) {
            if (FIXED.contains(name))
                throw new IllegalArgumentException(
                        "The setting " + name + " of Kafka's consumer is Semel's own: it loses nothing by it.");
            values.put(name, given.getProperty(name));
        }
        // Members of a group move one by one, and keep what they keep without a stop. The newer protocol does so by
        // itself.
        if (!"consumer".equalsIgnoreCase(String.valueOf(values.get(GROUP_PROTOCOL_CONFIG))))
            values.putIfAbsent(PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        values.put(ENABLE_AUTO_COMMIT_CONFIG, false);
        values.put(ISOLATION_LEVEL_CONFIG, "read_committed");
        try {
            Map<String, Object> all = new HashMap<>(values);
            all.put(KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
            all.put(VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
            return new ConsumerSettings(Map.copyOf(values), new ConsumerConfig(all).getInt(MAX_POLL_RECORDS_CONFIG));
        } catch (ConfigException e) {
            throw new IllegalArgumentException("Kafka's consumer cannot be set up so: " + e.getMessage(), e);
        }
    }

    /** Those that producers have too, such as where the servers are and how they are spoken to. */
    Map<String, Object> ofProducer() {
        Map<String, Object> common = new HashMap<>(values);
        common.keySet().retainAll(ProducerConfig.configNames());
        common.put(ProducerConfig.ACKS_CONFIG, "all");
        common.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        common.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 5000);
        common.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 4000);
        common.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 8000);
        common.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LARGEST_LETTER);
        common.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        common.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        return common;
    }

    Map<String, Object> ofAdmin() {
        Map<String, Object> common = new HashMap<>(values);
        common.keySet().retainAll(AdminClientConfig.configNames());
        return common;
    }

    String servers() {
        return String.valueOf(values.get(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG));
    }
}
