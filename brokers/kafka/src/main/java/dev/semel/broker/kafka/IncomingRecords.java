package dev.semel.broker.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.messaging.consume.IncomingMessage;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Records as messages: the other side of {@link KafkaRecords}. */
final class IncomingRecords {
    private static final String PREFIX = "ce_";
    private static final byte[] EMPTY = {};

    private IncomingRecords() {}

    static IncomingMessage message(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new LinkedHashMap<>();
        Map<String, String> attributes = new LinkedHashMap<>();
        for (Header header : record.headers()) {
            if (header.value() == null) continue;
            String value = new String(header.value(), UTF_8);
            if (header.key().startsWith(PREFIX)) attributes.put(header.key().substring(PREFIX.length()), value);
            else headers.put(header.key(), value);
        }
        String id = attributes.remove("id");
        String type = attributes.remove("type");
        headers.putAll(attributes);
        byte[] payload = record.value() == null ? EMPTY : record.value();
        return new IncomingMessage(id, record.topic(), key(record.key()), type, headers, payload);
    }

    /** Others may have keys that are no text: each has a name of its own, so that it stays in order. */
    private static @Nullable String key(byte @Nullable [] key) {
        if (key == null) return null;
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString();
        } catch (CharacterCodingException e) {
            return "0x" + HexFormat.of().formatHex(key);
        }
    }
}
