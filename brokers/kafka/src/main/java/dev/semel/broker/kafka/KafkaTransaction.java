package dev.semel.broker.kafka;

import dev.semel.messaging.broker.Delivery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;

/** One transaction of a producer. For one thread. */
final class KafkaTransaction {
    private final KafkaProducer<byte[], byte[]> producer;
    private final List<Future<RecordMetadata>> sent = new ArrayList<>();
    private final List<String> topics = new ArrayList<>();

    KafkaTransaction(KafkaProducer<byte[], byte[]> producer) {
        this.producer = producer;
        producer.beginTransaction();
    }

    /** @throws org.apache.kafka.common.KafkaException when one before it has failed already, among others */
    void send(ProducerRecord<byte[], byte[]> record) {
        topics.add(record.topic());
        sent.add(producer.send(record));
    }

    /** Waits for all that was sent, as long as it may take, and then for the commit. If anything failed, nothing is committed. */
    void commit() {
        producer.flush();
        producer.commitTransaction();
    }

    /** After a failure. */
    void abort() {
        producer.abortTransaction();
    }

    /** Of those that were sent, by their place, the ones that Kafka does not take; the others only failed with them. */
    Map<Integer, Delivery> refused() {
        Map<Integer, Delivery> refused = new HashMap<>();
        for (int i = 0; i < sent.size(); i++) {
            if (!sent.get(i).isDone()) continue;
            Delivery refusal = refusal(topics.get(i), failure(sent.get(i)));
            if (refusal != null) refused.put(i, refusal);
        }
        return refused;
    }

    private static @Nullable Throwable failure(Future<RecordMetadata> done) {
        try {
            done.get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private static @Nullable Delivery refusal(String topic, @Nullable Throwable failure) {
        return switch (failure) {
            case RecordTooLargeException e -> tooLarge(topic, e);
            case RecordBatchTooLargeException e -> tooLarge(topic, e);
            case InvalidRecordException e -> new Delivery.Dead("invalid", "topic " + topic + ": " + e.getMessage());
            case PolicyViolationException e -> new Delivery.Dead("invalid", "topic " + topic + ": " + e.getMessage());
            case InvalidTopicException e -> TopicLookup.invalid(topic);
            case TopicAuthorizationException e -> TopicLookup.forbidden(topic);
            case null, default -> null;
        };
    }

    private static Delivery tooLarge(String topic, Exception e) {
        return new Delivery.Dead(
                "too-large", "It is larger than topic " + topic + " takes (max.message.bytes): " + e.getMessage());
    }
}
