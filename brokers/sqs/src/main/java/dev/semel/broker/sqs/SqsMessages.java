package dev.semel.broker.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.messaging.consume.IncomingMessage;
import dev.semel.messaging.message.CloudEvent;
import dev.semel.messaging.message.HeaderLines;
import dev.semel.messaging.message.OutgoingMessage;
import java.net.URI;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/**
 * Messages of SQS, both ways. It takes ten attributes, none of them empty: CloudEvents' have one each (the key is {@code ce-subject}),
 * {@code traceparent} and {@code content-type} too, and all other headers stand in {@code semel-headers}, a line {@code name:value}
 * each. The id travels in {@code ce-id}: what else SQS knows a message by changes on its way through a queue for dead letters.
 */
final class SqsMessages {
    static final String HEADERS = "semel-headers";

    private static final String PREFIX = "ce-";
    private static final String CONTENT_TYPE = "content-type";
    private static final String TRACE = "traceparent";

    private final String source;

    SqsMessages(String source) {
        if (source.isEmpty()) throw new IllegalArgumentException("The source of messages must not be empty.");
        URI.create(source);
        this.source = source;
    }

    /** @param entryId by which the answer names it */
    SendMessageBatchRequestEntry entry(OutgoingMessage message, String entryId) {
        Map<String, String> attributes = attributes(message);
        BodyText body = BodyText.of(message.payload());
        if (body.encoding() != null) attributes.put(BodyText.ENCODING, body.encoding());
        SendMessageBatchRequestEntry.Builder entry = SendMessageBatchRequestEntry.builder()
                .id(entryId)
                .messageBody(body.text())
                .messageAttributes(values(attributes));
        if (QueueName.isFifo(message.topic()))
            entry.messageDeduplicationId(message.id().toString()).messageGroupId(MessageGroup.of(message));
        return entry.build();
    }

    private Map<String, String> attributes(OutgoingMessage message) {
        Map<String, String> attributes = new LinkedHashMap<>();
        CloudEvent.attributes(message, source).forEach((name, value) -> {
            // It is an attribute by its own name.
            if (!name.equals("datacontenttype")) attributes.put(PREFIX + name, value);
        });
        Map<String, String> rest = new TreeMap<>(message.headers());
        message.headers().forEach((name, value) -> {
            boolean own = name.equals(TRACE) || name.equals(CONTENT_TYPE);
            if (!own || value.isEmpty()) return;
            attributes.put(name, value);
            rest.remove(name);
        });
        String lines = HeaderLines.format(rest);
        if (lines != null) attributes.put(HEADERS, lines);
        return attributes;
    }

    private static Map<String, MessageAttributeValue> values(Map<String, String> attributes) {
        Map<String, MessageAttributeValue> values = new HashMap<>();
        attributes.forEach((name, value) -> values.put(
                name,
                MessageAttributeValue.builder()
                        .dataType("String")
                        .stringValue(value)
                        .build()));
        return values;
    }

    /** As SQS counts it: the body and the names, types and values of attributes. */
    static long size(SendMessageBatchRequestEntry entry) {
        long size = entry.messageBody().getBytes(UTF_8).length;
        for (Map.Entry<String, MessageAttributeValue> each :
                entry.messageAttributes().entrySet())
            size += each.getKey().length()
                    + "String".length()
                    + each.getValue().stringValue().getBytes(UTF_8).length;
        return size;
    }

    /**
     * Whoever sent it: without Semel's attributes it has what it has.
     *
     * @throws IllegalArgumentException when its body is not what its attributes say
     */
    static IncomingMessage incoming(String queue, Message message) {
        Map<String, String> attributes = new LinkedHashMap<>();
        message.messageAttributes().forEach((name, value) -> {
            if (value.stringValue() != null) attributes.put(name, value.stringValue());
        });
        String encoding = attributes.remove(BodyText.ENCODING);
        Map<String, String> headers = new HashMap<>(HeaderLines.parse(attributes.remove(HEADERS)));
        String id = attributes.remove(PREFIX + "id");
        String type = attributes.remove(PREFIX + "type");
        String subject = attributes.get(PREFIX + "subject");
        attributes.forEach((name, value) -> {
            boolean attribute = name.toLowerCase(Locale.ROOT).startsWith(PREFIX);
            headers.putIfAbsent(attribute ? name.substring(PREFIX.length()) : name, value);
        });
        byte[] payload = new BodyText(message.body(), encoding).payload();
        return new IncomingMessage(id, queue, key(id, subject, message), type, headers, payload);
    }

    /** A message of another sender stays in order with its group. */
    private static @Nullable String key(@Nullable String id, @Nullable String subject, Message message) {
        return id != null ? subject : message.attributes().get(MessageSystemAttributeName.MESSAGE_GROUP_ID);
    }
}
