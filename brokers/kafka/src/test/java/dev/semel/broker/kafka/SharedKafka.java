package dev.semel.broker.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.testkit.kafka.KafkaServer;
import dev.semel.testkit.messaging.ArrivedMessage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** One server for all tests of this module. */
final class SharedKafka implements BeforeAllCallback, AutoCloseable {
    private static @Nullable KafkaServer server;
    private static @Nullable Admin admin;

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot().getStore(Namespace.GLOBAL).getOrComputeIfAbsent(SharedKafka.class, key -> this);
    }

    static synchronized KafkaServer server() {
        if (server == null)
            server = KafkaServer.start(
                    Path.of("target", "kafka-" + ProcessHandle.current().pid()));
        return server;
    }

    static synchronized Admin admin() {
        if (admin == null) admin = Admin.create(Map.of("bootstrap.servers", server().bootstrap()));
        return admin;
    }

    static void create(String topic, int partitions, Map<String, String> settings)
            throws ExecutionException, InterruptedException {
        NewTopic made = new NewTopic(topic, partitions, (short) 1).configs(settings);
        admin().createTopics(List.of(made)).all().get();
    }

    /** What a consumer sees that reads what is committed, partition by partition. */
    static List<ArrivedMessage> arrived(String topic, int atLeast) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", server().bootstrap(), "isolation.level", "read_committed", "check.crcs", true);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(it -> new TopicPartition(topic, it.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            List<ArrivedMessage> arrived = new ArrayList<>();
            while (arrived.size() < atLeast || !isAtEnd(consumer, partitions))
                consumer.poll(Duration.ofMillis(50)).forEach(it -> arrived.add(arrived(it)));
            return arrived;
        }
    }

    private static boolean isAtEnd(KafkaConsumer<?, ?> consumer, List<TopicPartition> partitions) {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        return partitions.stream().allMatch(it -> consumer.position(it) >= ends.getOrDefault(it, 0L));
    }

    private static ArrivedMessage arrived(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> attributes = new TreeMap<>();
        Map<String, String> headers = new TreeMap<>();
        for (Header header : record.headers()) {
            String value = new String(header.value(), UTF_8);
            if (header.key().startsWith("ce_")) attributes.put(header.key().substring(3), value);
            else headers.put(header.key(), value);
        }
        String key = record.key() == null ? null : new String(record.key(), UTF_8);
        return new ArrivedMessage(key, attributes, headers, record.value());
    }

    @Override
    public void close() {
        synchronized (SharedKafka.class) {
            if (admin != null) admin.close(Duration.ZERO);
            if (server != null) server.close();
            admin = null;
            server = null;
        }
    }
}
