package dev.semel.relay.metrics;

import dev.semel.broker.webhook.delivery.WebhookDeliveries;
import dev.semel.broker.webhook.delivery.WebhookEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The numbers of webhooks. Their names are in docs/webhooks.md. No number is of a single endpoint: there may be very many. */
public final class WebhookMetrics implements WebhookEvent.Listener {
    private final MeterRegistry registry;
    private final Counter expired;
    private final Counter opened;
    private final Counter disabled;
    private final Counter leasesLost;
    private final Timer delivered;
    private volatile WebhookDeliveries.@Nullable Status status;

    public WebhookMetrics(RelayMetrics relay) {
        registry = relay.registry();
        expired = counter(
                "semel.webhook.expired", "Deliveries that are dead because they could not be sent for too long");
        opened = counter(
                "semel.webhook.breaker.opened", "Times that an endpoint failed so often that it was left alone");
        disabled = counter("semel.webhook.endpoints.disabled", "Endpoints that were disabled because they failed");
        leasesLost = counter("semel.webhook.leases.lost", "Deliveries that may have been sent twice");
        delivered = Timer.builder("semel.webhook.delivered")
                .description("How long requests took that were answered with success")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofMinutes(1))
                .register(registry);
        gauge("semel.webhook.waiting", "Deliveries that wait", WebhookDeliveries.Status::waiting);
        gauge("semel.webhook.dead", "Dead deliveries", WebhookDeliveries.Status::dead);
        gauge("semel.webhook.disabled", "Endpoints that are disabled", WebhookDeliveries.Status::disabled);
        gauge("semel.webhook.resting", "Endpoints whose breaker is open", WebhookDeliveries.Status::resting);
        gauge(
                "semel.webhook.late.seconds",
                "For how long the delivery that is due for the longest has been so",
                it -> it.late().toMillis() / 1000.0);
    }

    private interface Reading {
        double of(WebhookDeliveries.Status status);
    }

    private Counter counter(String name, String what) {
        return Counter.builder(name).description(what).register(registry);
    }

    private void gauge(String name, String what, Reading reading) {
        Gauge.builder(name, this, metrics -> {
                    WebhookDeliveries.Status now = metrics.status;
                    return now == null ? Double.NaN : reading.of(now);
                })
                .description(what)
                .register(registry);
    }

    @Override
    public void on(WebhookEvent event) {
        switch (event) {
            case WebhookEvent.Delivered it -> delivered.record(it.took());
            case WebhookEvent.Failed it -> kind("semel.webhook.failed", "Attempts that failed", it.kind());
            case WebhookEvent.Died it ->
                kind("semel.webhook.died", "Deliveries that are dead after their last attempt", it.kind());
            case WebhookEvent.Expired it -> expired.increment(it.deliveries());
            case WebhookEvent.BreakerOpened it -> opened.increment();
            case WebhookEvent.EndpointDisabled it -> disabled.increment();
            case WebhookEvent.LeaseLost it -> leasesLost.increment();
            case WebhookEvent.BreakerClosed it -> {}
            case WebhookEvent.EndpointUnusable it -> {}
            case WebhookEvent.DatabaseAway it -> {}
            case WebhookEvent.Defect it -> {}
        }
    }

    /** A status has few values that matter: 4xx are told apart by their class only. */
    private void kind(String name, String what, String kind) {
        String tag = kind.startsWith("status-") ? "status-" + kind.charAt(7) + "xx" : kind;
        Counter.builder(name)
                .description(what)
                .tag("kind", tag)
                .register(registry)
                .increment();
    }

    public void saw(WebhookDeliveries.Status now) {
        status = now;
    }
}
