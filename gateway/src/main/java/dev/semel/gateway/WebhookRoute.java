package dev.semel.gateway;

import dev.semel.gateway.config.WebhookSettings;
import dev.semel.gateway.metrics.RouteMeters;
import dev.semel.http.Headers;
import dev.semel.http.HttpResponse;
import dev.semel.http.json.FieldReading;
import dev.semel.http.json.JsonExtractor;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.message.Message;
import dev.semel.webhook.SigningKey;
import dev.semel.webhook.WebhookScheme;
import dev.semel.webhook.receive.IncomingWebhook;
import dev.semel.webhook.receive.Receipt;
import dev.semel.webhook.receive.WebhookReceiver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One place where webhooks come in. For use by any thread; {@link #receive} blocks. */
final class WebhookRoute {
    private static final Logger LOG = LoggerFactory.getLogger("semel.webhooks");
    private static final List<String> EVENT_ID = List.of("/id");

    private final WebhookSettings settings;
    private final WebhookReceiver receiver;
    private final Outbox outbox;
    private final RouteMeters meters;
    private final @Nullable JsonExtractor key;

    WebhookRoute(WebhookSettings settings, Inbox inbox, Outbox outbox, RouteMeters meters) {
        this.settings = settings;
        this.receiver = WebhookReceiver.of("webhook:" + settings.path(), scheme(settings), inbox);
        this.outbox = outbox;
        this.meters = meters;
        this.key = settings.key() == null ? null : JsonExtractor.of(List.of(settings.key()));
    }

    private static WebhookScheme scheme(WebhookSettings settings) {
        Duration tolerance = Objects.requireNonNullElse(settings.tolerance(), WebhookScheme.TOLERANCE);
        return switch (settings.scheme()) {
            case STANDARD ->
                new WebhookScheme.Standard(
                        settings.secrets().stream().map(SigningKey::parse).toList(), tolerance);
            case STRIPE -> {
                JsonExtractor id = JsonExtractor.of(EVENT_ID);
                yield new WebhookScheme.Stripe(settings.secrets(), tolerance, body -> text(id, body));
            }
            case GITHUB -> new WebhookScheme.GitHub(settings.secrets());
        };
    }

    private static @Nullable String text(JsonExtractor place, byte[] body) {
        return place.from(body).getFirst() instanceof FieldReading.Value(String text) ? text : null;
    }

    RouteMeters meters() {
        return meters;
    }

    int largest() {
        return receiver.largest();
    }

    HttpResponse tooLarge() {
        return response(new Receipt.TooLarge(largest()));
    }

    /** When this returns 200, the webhook is in the database. */
    HttpResponse receive(Headers headers, byte[] body) {
        Receipt receipt;
        try {
            receipt = receiver.store(name -> joined(headers, name), body, outbox, this::message);
        } catch (RuntimeException e) {
            receipt = new Receipt.Failed(e);
        }
        tell(receipt);
        return response(receipt);
    }

    private static @Nullable String joined(Headers headers, String name) {
        List<String> all = headers.all(name);
        return all.isEmpty() ? null : String.join(", ", all);
    }

    private Message message(IncomingWebhook webhook) {
        return new Message(
                WebhookMessages.topic(settings),
                orderOf(webhook),
                "webhook." + settings.scheme().name().toLowerCase(Locale.ROOT),
                WebhookMessages.headers(webhook, settings.deliverTo()),
                webhook.body());
    }

    private @Nullable String orderOf(IncomingWebhook webhook) {
        String text = key == null ? null : text(key, webhook.body());
        return text == null ? null : WebhookMessages.key(text);
    }

    private void tell(Receipt receipt) {
        switch (receipt) {
            case Receipt.Taken(String id, boolean isFirst) -> {
                if (!isFirst) LOG.debug("A webhook at {} was a duplicate: {}", settings.path(), id);
            }
            case Receipt.Rejected(String reason) ->
                LOG.warn("A webhook at {} was refused: {}", settings.path(), reason);
            case Receipt.Unusable(String reason) ->
                LOG.warn("A webhook at {} was refused: {}", settings.path(), reason);
            case Receipt.TooLarge it -> LOG.warn("A webhook at {} was refused: it is too large", settings.path());
            case Receipt.Unavailable(String reason) ->
                LOG.warn("A webhook at {} could not be stored: {}", settings.path(), LogText.safe(reason));
            case Receipt.Failed(Throwable failure) ->
                LOG.error("A webhook at {} could not be stored", settings.path(), failure);
        }
    }

    private static HttpResponse response(Receipt receipt) {
        Receipt.Answer answer = receipt.answer();
        List<Headers.Field> headers = new ArrayList<>();
        for (Map.Entry<String, String> header : answer.headers().entrySet())
            headers.add(new Headers.Field(header.getKey(), header.getValue()));
        return new HttpResponse(answer.status(), Headers.of(headers), answer.body());
    }
}
