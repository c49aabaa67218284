package dev.semel.bench.outbox;

import dev.semel.bench.loop.Orders;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A topic of its own for each outbox, read again after each measurement: what was said to have been sent must be there. */
final class SentTopic implements AutoCloseable {
    private static final int PARTITIONS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final BitSet arrived = new BitSet();
    private long repeated;

    private SentTopic(KafkaConsumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
    }

    static SentTopic create(String bootstrap, String topic) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1)))
                    .all()
                    .get();
        }
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrap,
                        "isolation.level",
                        "read_committed",
                        "enable.metrics.push",
                        false,
                        "auto.offset.reset",
                        "earliest",
                        "enable.auto.commit",
                        false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(it -> new TopicPartition(topic, it.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        return new SentTopic(consumer);
    }

    /** @return how many of so many messages are not there, however long one waits */
    long missing(long acknowledged) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (arrived.cardinality() < acknowledged && System.nanoTime() - end < 0)
            for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(100))) {
                int number = Math.toIntExact(Orders.number(each.value()));
                if (arrived.get(number)) repeated++;
                arrived.set(number);
            }
        return Math.max(0, acknowledged - arrived.cardinality());
    }

    /** How many came more than once. */
    long repeated() {
        return repeated;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
