package dev.semel.broker.nats;

import dev.semel.messaging.consume.IncomingMessage;
import dev.semel.messaging.message.CloudEvent;
import dev.semel.messaging.message.OutgoingMessage;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Messages of NATS, both ways: CloudEvents' binding to NATS in binary mode. The topic is the subject; the id is {@code Nats-Msg-Id},
 * by which a stream drops duplicates.
 */
final class NatsMessages {
    static final String MESSAGE_ID = "Nats-Msg-Id";
    static final String KEY = "semel-key";

    /** Names the headers of the message whose values are percent-encoded, because they are not plain ASCII. */
    static final String ENCODED = "semel-encoded";

    private static final String PREFIX = "ce-";

    private final String source;

    NatsMessages(String source) {
        if (source.isEmpty()) throw new IllegalArgumentException("The source of messages must not be empty.");
        URI.create(source);
        this.source = source;
    }

    NatsMessage message(OutgoingMessage message) {
        Headers headers = new Headers();
        headers.put(MESSAGE_ID, message.id().toString());
        CloudEvent.attributes(message, source)
                .forEach((name, value) -> headers.put(PREFIX + name, HeaderText.encode(value)));
        if (message.key() != null) headers.put(KEY, HeaderText.encode(message.key()));
        List<String> encoded = new ArrayList<>();
        message.headers().forEach((name, value) -> {
            if (!HeaderText.isPlain(value)) encoded.add(name);
            headers.put(name, HeaderText.isPlain(value) ? value : HeaderText.encode(value));
        });
        if (!encoded.isEmpty()) headers.put(ENCODED, String.join(",", encoded));
        return NatsMessage.builder()
                .subject(message.topic())
                .headers(headers)
                .data(message.payload())
                .build();
    }

    /** As the server counts it: what it takes of headers and payload together is limited. */
    static long size(NatsMessage message) {
        return message.getHeaders().serializedLength() + (long) message.getData().length;
    }

    /** Whether NATS can have it as a subject: no part between dots may be empty. */
    static boolean isSubject(String topic) {
        return !topic.endsWith(".") && !topic.contains("..");
    }

    /** Whoever sent it: without Semel's headers it has what it has. */
    static IncomingMessage incoming(Message message) {
        Headers given = message.getHeaders();
        if (given == null) given = new Headers();
        String encodedNames = given.getFirst(ENCODED);
        Set<String> encoded = encodedNames == null ? Set.of() : Set.of(encodedNames.split(",", -1));
        Map<String, String> headers = new HashMap<>();
        Map<String, String> attributes = new HashMap<>();
        for (String name : given.keySet()) {
            String value = String.valueOf(given.getFirst(name));
            if (name.startsWith(PREFIX)) attributes.put(name.substring(PREFIX.length()), HeaderText.decode(value));
            else if (!name.startsWith("Nats-") && !name.equals(KEY) && !name.equals(ENCODED))
                headers.put(name, encoded.contains(name) ? HeaderText.decode(value) : value);
        }
        String id = attributes.remove("id");
        String type = attributes.remove("type");
        attributes.forEach(headers::putIfAbsent);
        byte[] payload = message.getData() == null ? new byte[0] : message.getData();
        return new IncomingMessage(
                id == null ? given.getFirst(MESSAGE_ID) : id, message.getSubject(), key(given), type, headers, payload);
    }

    private static @Nullable String key(Headers headers) {
        String key = headers.getFirst(KEY);
        return key == null ? null : HeaderText.decode(key);
    }
}
