package dev.semel.torture.messages;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.testkit.kafka.KafkaServer;
import dev.semel.torture.messages.check.Arrival;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A Kafka of the run's own. */
final class KafkaTestBroker implements TestBroker {
    private static final int PARTITIONS = 6;

    private final KafkaServer server;
    private final String topic;

    private KafkaTestBroker(KafkaServer server, String topic) {
        this.server = server;
        this.topic = topic;
    }

    static KafkaTestBroker start(Path folder) {
        return on(KafkaServer.start(folder), "messages");
    }

    /** With a topic of its own: several runs, one after the other, may share a server. */
    static KafkaTestBroker on(KafkaServer server, String topic) {
        return new KafkaTestBroker(server, topic);
    }

    @Override
    public String topic() {
        return topic;
    }

    @Override
    public String relayUrl() {
        return server.url() + "?max.block.ms=1500&request.timeout.ms=1200&delivery.timeout.ms=2500";
    }

    @Override
    public String consumerUrl() {
        return server.url() + "?session.timeout.ms=6000&heartbeat.interval.ms=1500";
    }

    @Override
    public void createTopics() throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            Map<String, String> limit = Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(LIMIT));
            admin.createTopics(List.of(
                            new NewTopic(topic, PARTITIONS, (short) 1).configs(limit),
                            new NewTopic(topic + ".dead", 1, (short) 1)))
                    .all()
                    .get();
        }
        warmUp();
    }

    /** The first transaction and the first member of a group make topics that Kafka keeps for itself, which takes a while. */
    private void warmUp() {
        Map<String, Object> producer = Map.of("bootstrap.servers", server.bootstrap(), "transactional.id", "warm-up");
        try (KafkaProducer<byte[], byte[]> sending =
                new KafkaProducer<>(producer, new ByteArraySerializer(), new ByteArraySerializer())) {
            sending.initTransactions();
        }
        Map<String, Object> consumer = Map.of("bootstrap.servers", server.bootstrap(), "group.id", "warm-up");
        try (KafkaConsumer<byte[], byte[]> reading =
                new KafkaConsumer<>(consumer, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            reading.committed(Set.of(new TopicPartition(topic, 0)));
        }
    }

    @Override
    public void raiseLimit() throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            ConfigEntry larger =
                    new ConfigEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(2 * 1024 * 1024));
            ConfigResource named = new ConfigResource(ConfigResource.Type.TOPIC, topic);
            admin.incrementalAlterConfigs(Map.of(named, List.of(new AlterConfigOp(larger, AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
        }
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", server.bootstrap()));
    }

    @Override
    public Thread read(Consumer<Arrival> arrivals) {
        return Thread.ofPlatform().daemon().name("reader").start(() -> readAll(arrivals));
    }

    private void readAll(Consumer<Arrival> arrivals) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", server.bootstrap(), "isolation.level", "read_committed");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = IntStream.range(0, PARTITIONS)
                    .mapToObj(partition -> new TopicPartition(topic, partition))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (!Thread.interrupted())
                try {
                    consumer.poll(Duration.ofMillis(100)).forEach(it -> arrivals.accept(arrival(it)));
                } catch (InterruptException e) {
                    // Closing would complain of it.
                    if (Thread.interrupted()) return;
                } catch (KafkaException e) {
                    // It is away, and comes back.
                }
        }
    }

    private static Arrival arrival(ConsumerRecord<byte[], byte[]> record) {
        Header id = record.headers().lastHeader("ce_id");
        return new Arrival(id == null ? "" : new String(id.value(), UTF_8), Payloads.body(record.value()));
    }

    @Override
    public void kill9() {
        server.kill9();
    }

    @Override
    public void restart() {
        server.restart();
    }

    @Override
    public void close() {
        server.close();
    }
}
