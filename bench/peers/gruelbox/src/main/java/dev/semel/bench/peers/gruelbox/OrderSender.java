package dev.semel.bench.peers.gruelbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.bench.loop.MessageTimes;
import dev.semel.bench.loop.Orders;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends an order to Kafka and waits for its word: only then may the outbox forget it. Many threads wait at once and share requests;
 * the producer is idempotent and waits for nobody (no linger).
 */
final class OrderSender implements AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final MessageTimes times;

    OrderSender(String bootstrap, String topic, MessageTimes times) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                bootstrap,
                "enable.idempotence",
                true,
                "acks",
                "all",
                "linger.ms",
                0,
                "batch.size",
                64 * 1024,
                "enable.metrics.push",
                false);
        this.producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        this.topic = topic;
        this.times = times;
    }

    void send(String key, String payload) throws ExecutionException, InterruptedException {
        producer.send(new ProducerRecord<>(topic, key.getBytes(UTF_8), payload.getBytes(UTF_8)))
                .get();
        times.acknowledged(Orders.number(payload));
    }

    @Override
    public void close() {
        producer.close();
    }
}
