package dev.semel.relay;

import dev.semel.broker.webhook.delivery.WebhookEvent;
import dev.semel.relay.metrics.WebhookMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the log and the numbers say about webhooks: never a key, a header, a payload, a secret or a URL. */
final class WebhookReport implements WebhookEvent.Listener {
    private static final Logger LOG = LoggerFactory.getLogger("semel.webhooks");

    private final WebhookMetrics metrics;
    private final Occasion failures = new Occasion();
    private final Occasion database = new Occasion();
    private final Occasion unusable = new Occasion();
    private final Occasion leases = new Occasion();

    WebhookReport(WebhookMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public void on(WebhookEvent event) {
        metrics.on(event);
        switch (event) {
            case WebhookEvent.Delivered it -> {}
            case WebhookEvent.Failed it -> {
                if (failures.isDue())
                    LOG.warn(
                            "Webhook {} to endpoint {} was not taken (attempt {}), and is sent again at {}: {}",
                            it.message(),
                            it.endpoint(),
                            it.attempts(),
                            it.nextAt(),
                            RelayLog.safe(it.reason()));
            }
            case WebhookEvent.Died it ->
                LOG.warn(
                        "Webhook {} to endpoint {} is dead after {} attempts: {}. See 'semel webhooks deliveries show"
                                + " {}'.",
                        it.message(),
                        it.endpoint(),
                        it.attempts(),
                        RelayLog.safe(it.reason()),
                        it.message());
            case WebhookEvent.Expired it ->
                LOG.warn(
                        "{} webhooks are dead: they waited for too long, at a disabled endpoint or behind a dead one.",
                        it.deliveries());
            case WebhookEvent.BreakerOpened it ->
                LOG.warn(
                        "Endpoint {} failed {} times in a row; it is left alone until {}.",
                        it.endpoint(),
                        it.failures(),
                        it.until());
            case WebhookEvent.BreakerClosed it -> LOG.info("Endpoint {} takes webhooks again.", it.endpoint());
            case WebhookEvent.EndpointDisabled it ->
                LOG.error(
                        "Endpoint {} is disabled: {}. What comes for it waits; 'semel webhooks endpoints enable {}'.",
                        it.endpoint(),
                        RelayLog.safe(it.reason()),
                        it.endpoint());
            case WebhookEvent.EndpointUnusable it -> {
                if (unusable.isDue())
                    LOG.error("Nothing can be sent to endpoint {}: {}", it.endpoint(), RelayLog.safe(it.reason()));
            }
            case WebhookEvent.LeaseLost it -> {
                if (leases.isDue())
                    LOG.warn(
                            "What became of webhook {} to endpoint {} was written down too late; it may arrive twice.",
                            it.message(),
                            it.endpoint());
            }
            case WebhookEvent.DatabaseAway it -> {
                if (database.isDue())
                    LOG.warn("The database does not answer; webhooks wait for it: {}", RelayLog.safe(it.reason()));
            }
            case WebhookEvent.Defect it ->
                LOG.error("A defect kept webhooks from being able to {}; they go on.", it.what(), it.failure());
        }
    }
}
