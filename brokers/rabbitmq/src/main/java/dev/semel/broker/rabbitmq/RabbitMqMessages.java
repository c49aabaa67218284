package dev.semel.broker.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.LongString;
import dev.semel.messaging.consume.IncomingMessage;
import dev.semel.messaging.message.CloudEvent;
import dev.semel.messaging.message.OutgoingMessage;
import java.net.URI;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Messages as RabbitMQ has them, there and back: CloudEvents' binding to AMQP in binary mode, with the properties that RabbitMQ's
 * own tools show. The key is a header, because it may be longer than a property.
 */
final class RabbitMqMessages {
    static final String KEY = "semel-key";

    private static final String PREFIX = "cloudEvents:";

    /** The other spelling that the binding allows. */
    private static final String OTHER_PREFIX = "cloudEvents_";

    private static final String CONTENT_TYPE = "content-type";
    private static final String DATA_CONTENT_TYPE = "datacontenttype";
    private static final int PERSISTENT = 2;
    private static final int LONGEST_PROPERTY = 255;

    private final String source;

    RabbitMqMessages(String source) {
        if (source.isEmpty()) throw new IllegalArgumentException("The source of messages must not be empty.");
        URI.create(source);
        this.source = source;
    }

    AMQP.BasicProperties properties(OutgoingMessage message) {
        AMQP.BasicProperties.Builder properties = new AMQP.BasicProperties.Builder()
                .deliveryMode(PERSISTENT)
                .messageId(message.id().toString())
                .type(message.type())
                .timestamp(Date.from(message.appendedAt()));
        Map<String, Object> headers = new HashMap<>(message.headers());
        CloudEvent.attributes(message, source).forEach((name, value) -> {
            // It is a property by itself in this binding.
            if (!name.equals(DATA_CONTENT_TYPE)) headers.put(PREFIX + name, value);
            else if (value.getBytes(UTF_8).length <= LONGEST_PROPERTY) properties.contentType(value);
        });
        if (message.key() != null) headers.put(KEY, message.key());
        return properties.headers(headers).build();
    }

    /** Whoever sent it: what is missing is null, and for the inbox to judge. */
    static IncomingMessage incoming(String routingKey, AMQP.BasicProperties properties, byte[] payload) {
        Map<String, String> headers = new TreeMap<>();
        Map<String, String> attributes = new TreeMap<>();
        if (properties.getHeaders() != null)
            properties.getHeaders().forEach((name, value) -> {
                if (!isText(value)) return;
                if (isAttribute(name)) attributes.put(name.substring(PREFIX.length()), value.toString());
                else headers.put(name, value.toString());
            });
        String key = headers.remove(KEY);
        String id = or(properties.getMessageId(), attributes.get("id"));
        String type = or(properties.getType(), attributes.get("type"));
        if (properties.getContentType() != null) headers.putIfAbsent(CONTENT_TYPE, properties.getContentType());
        attributes.forEach(headers::putIfAbsent);
        return new IncomingMessage(id, routingKey, key, type, headers, payload);
    }

    /** RabbitMQ adds tables of its own, such as where a message has died before. */
    private static boolean isText(@Nullable Object value) {
        return value instanceof LongString
                || value instanceof String
                || value instanceof Number
                || value instanceof Boolean;
    }

    private static boolean isAttribute(String name) {
        return name.startsWith(PREFIX) || name.startsWith(OTHER_PREFIX);
    }

    private static @Nullable String or(@Nullable String first, @Nullable String second) {
        return first != null ? first : second;
    }
}
