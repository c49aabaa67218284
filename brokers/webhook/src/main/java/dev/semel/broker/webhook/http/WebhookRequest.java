package dev.semel.broker.webhook.http;

import java.time.Duration;
import java.util.Map;

/**
 * A POST.
 *
 * @param timeout for all of it, from the look-up of the name to the end of the answer's head
 */
public record WebhookRequest(EndpointUrl url, Map<String, String> headers, byte[] body, Duration timeout) {}
