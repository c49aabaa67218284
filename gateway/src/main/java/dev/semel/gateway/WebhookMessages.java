package dev.semel.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.gateway.config.WebhookSettings;
import dev.semel.http.Headers;
import dev.semel.http.HttpRequest;
import dev.semel.http.IdempotencyKey;
import dev.semel.messaging.message.MessageLimits;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.webhook.receive.IncomingWebhook;
import dev.semel.webhook.receive.WebhookReceiver;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A webhook as a message in the outbox, and as a request to the upstream again. */
final class WebhookMessages {
    /** Where a message goes if no webhook of this gateway has its topic: another gateway of the fleet may know more. */
    static final String DELIVER_TO = "deliver-to";

    private static final String TOPIC = "webhook";

    /**
     * What the upstream gets of the sender's headers, and what each is called as a header of a message, where names that begin with
     * {@code webhook-} are not allowed. Nothing else is kept: it might be a secret.
     */
    private static final Map<String, String> KEPT = kept();

    private WebhookMessages() {}

    private static Map<String, String> kept() {
        Map<String, String> kept = new LinkedHashMap<>();
        for (String name : List.of(
                "content-type",
                "user-agent",
                "traceparent",
                "tracestate",
                "stripe-signature",
                "x-hub-signature-256",
                "x-github-event",
                "x-github-delivery",
                "x-github-hook-id",
                "x-github-hook-installation-target-id",
                "x-github-hook-installation-target-type")) kept.put(name, name);
        kept.put("webhook-timestamp", "sender-timestamp");
        kept.put("webhook-signature", "sender-signature");
        return kept;
    }

    static String topic(WebhookSettings webhook) {
        return TOPIC + webhook.path();
    }

    static Map<String, String> headers(IncomingWebhook webhook, String deliverTo) {
        Map<String, String> headers = new HashMap<>();
        KEPT.forEach((name, stored) -> {
            String value = webhook.header().apply(name);
            if (value != null && fits(value)) headers.put(stored, value);
        });
        headers.put(DELIVER_TO, deliverTo);
        return headers;
    }

    private static boolean fits(String value) {
        return value.chars().allMatch(c -> c >= ' ' && c < 0x7f)
                && value.length() <= MessageLimits.LONGEST_HEADER_VALUE;
    }

    /** What stands for the order: the text itself, or a digest of one that no key can hold. */
    static String key(String text) {
        boolean fits = text.chars().noneMatch(c -> c < ' ' || c == 0x7f)
                && text.getBytes(UTF_8).length <= MessageLimits.LONGEST_KEY;
        return fits ? text : "sha256:" + HexFormat.of().formatHex(sha256(text));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }

    /**
     * The request that delivers it: the same bytes, under the sender's id.
     *
     * @param deliverTo by the configuration; null when it has no webhook of this topic
     * @return null when nobody knows where to deliver it
     */
    static @Nullable HttpRequest request(OutgoingMessage message, @Nullable String deliverTo) {
        String path = deliverTo == null ? message.headers().get(DELIVER_TO) : deliverTo;
        String id = message.headers().get(WebhookReceiver.SENDER_ID);
        if (path == null || id == null) return null;
        List<Headers.Field> headers = new ArrayList<>();
        headers.add(new Headers.Field("webhook-id", id));
        headers.add(new Headers.Field(IdempotencyKey.HEADER, id));
        KEPT.forEach((name, stored) -> {
            String value = message.headers().get(stored);
            if (value != null) headers.add(new Headers.Field(name, value));
        });
        return new HttpRequest("POST", path, null, Headers.of(headers), message.payload());
    }
}
