package dev.semel.broker.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * Where a receiver puts what it cannot handle: the same record with the same id, and headers that tell why and where it came from.
 * After a crash it may be there twice. For one thread.
 */
final class DeadLetterTopic implements AutoCloseable {
    private static final String PREFIX = "semel-";
    private static final int LONGEST_ERROR = 1000;

    private final String topic;
    private final String consumer;
    private final ConsumerSettings settings;
    private @Nullable KafkaProducer<byte[], byte[]> producer;

    DeadLetterTopic(String topic, String consumer, ConsumerSettings settings) {
        this.topic = topic;
        this.consumer = consumer;
        this.settings = settings;
    }

    /** On its way. It is there when what is returned says so. */
    Future<RecordMetadata> send(ConsumerRecord<byte[], byte[]> record, String error) {
        if (producer == null) producer = new KafkaProducer<>(settings.ofProducer());
        return producer.send(new ProducerRecord<>(topic, null, record.key(), record.value(), headers(record, error)));
    }

    /** @return null when it is there; else why not */
    static @Nullable String problem(Future<RecordMetadata> sent) {
        try {
            sent.get();
            return null;
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            return cause.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        } catch (KafkaException e) {
            return e.toString();
        }
    }

    /** A letter that was sent on from here before has no more than one of each. */
    private List<Header> headers(ConsumerRecord<byte[], byte[]> record, String error) {
        List<Header> headers = new ArrayList<>();
        for (Header header : record.headers()) if (!header.key().startsWith(PREFIX)) headers.add(header);
        headers.add(header("error", error.length() > LONGEST_ERROR ? error.substring(0, LONGEST_ERROR) : error));
        headers.add(header("consumer", consumer));
        headers.add(header("topic", record.topic()));
        headers.add(header("partition", Integer.toString(record.partition())));
        headers.add(header("offset", Long.toString(record.offset())));
        return headers;
    }

    private static Header header(String name, String value) {
        return new RecordHeader(PREFIX + name, value.getBytes(UTF_8));
    }

    @Override
    public void close() {
        if (producer != null) ShardProducers.close(producer);
        producer = null;
    }
}
