package dev.semel.broker.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.messaging.message.CloudEvent;
import dev.semel.messaging.message.OutgoingMessage;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * Messages as records: CloudEvents' binding to Kafka in binary mode. The time of a record is when it was sent, by which Kafka deletes
 * it; when it was appended is {@code ce_time}.
 */
final class KafkaRecords {
    private static final String PREFIX = "ce_";
    private static final String CONTENT_TYPE = "content-type";

    private final String source;

    KafkaRecords(String source) {
        if (source.isEmpty()) throw new IllegalArgumentException("The source of messages must not be empty.");
        URI.create(source);
        this.source = source;
    }

    ProducerRecord<byte[], byte[]> record(OutgoingMessage message) {
        List<Header> headers = new ArrayList<>();
        CloudEvent.attributes(message, source).forEach((name, value) -> {
            // It is a header by itself in this binding.
            if (!name.equals("datacontenttype")) headers.add(header(PREFIX + name, value));
            else if (!message.headers().containsKey(CONTENT_TYPE)) headers.add(header(CONTENT_TYPE, value));
        });
        message.headers().forEach((name, value) -> headers.add(header(name, value)));
        byte[] key = message.key() == null ? null : message.key().getBytes(UTF_8);
        return new ProducerRecord<>(message.topic(), null, key, message.payload(), headers);
    }

    private static Header header(String name, String value) {
        return new RecordHeader(name, value.getBytes(UTF_8));
    }
}
