package dev.semel.broker.webhook.delivery;

import dev.semel.broker.webhook.http.EndpointUrl;
import dev.semel.broker.webhook.http.WebhookRequest;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.webhook.SigningKey;
import dev.semel.webhook.WebhookScheme;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A message as Standard Webhooks sends it: its payload is the body, its id is the same in every attempt. */
final class SignedRequest {
    private static final Pattern SAFE = Pattern.compile("[\\x20-\\x7e]{1,512}");
    private static final List<String> TRACING = List.of("traceparent", "tracestate");

    private SignedRequest() {}

    static WebhookRequest of(
            OutgoingMessage message, EndpointUrl url, List<SigningKey> keys, Instant now, Duration timeout) {
        String id = message.id().toString();
        String time = Long.toString(now.getEpochSecond());
        byte[] signed = WebhookScheme.signed(id, time, message.payload());
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        message.headers().forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!SAFE.matcher(value).matches()) return;
            if (lower.equals("content-type")) headers.put("Content-Type", value);
            else if (TRACING.contains(lower)) headers.put(lower, value);
        });
        headers.put("User-Agent", "Semel-Webhooks");
        headers.put("webhook-id", id);
        headers.put("webhook-timestamp", time);
        headers.put(
                "webhook-signature", keys.stream().map(key -> key.sign(signed)).collect(Collectors.joining(" ")));
        return new WebhookRequest(url, headers, message.payload(), timeout);
    }
}
