package dev.semel.messaging.message;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The attributes of CloudEvents 1.0 that every broker sends along, each with the prefix of its own binding. */
public final class CloudEvent {
    private CloudEvent() {}

    /** @param source which application the message comes from, as a URI reference */
    public static Map<String, String> attributes(OutgoingMessage message, String source) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("specversion", "1.0");
        attributes.put("id", message.id().toString());
        attributes.put("source", source);
        attributes.put("type", message.type());
        attributes.put("time", message.appendedAt().toString());
        if (message.key() != null) attributes.put("subject", message.key());
        message.headers().forEach((name, value) -> {
            if (name.toLowerCase(Locale.ROOT).equals("content-type")) attributes.put("datacontenttype", value);
        });
        return attributes;
    }
}
