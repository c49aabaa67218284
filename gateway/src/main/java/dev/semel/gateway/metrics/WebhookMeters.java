package dev.semel.gateway.metrics;

import dev.semel.messaging.relay.RelayEvent;
import dev.semel.messaging.tables.OutboxStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What becomes of webhooks after they were acknowledged. All zero where there are none. */
public final class WebhookMeters implements RelayEvent.Listener {
    private final Counter delivered;
    private final Counter retried;
    private final Counter parked;
    private volatile @Nullable OutboxStatus last;

    WebhookMeters(MeterRegistry registry) {
        this.delivered = counter(registry, MeterNames.WEBHOOKS_DELIVERED, "Webhooks that the upstream has taken");
        this.retried = counter(registry, MeterNames.WEBHOOKS_RETRIED, "Refusals after which a webhook is tried again");
        this.parked = counter(registry, MeterNames.WEBHOOKS_PARKED, "Webhooks that became dead letters");
        Gauge.builder(MeterNames.WEBHOOKS_WAITING, this, it -> it.last == null ? 0 : it.last.waiting())
                .description("Webhooks that wait to be delivered, in the whole database")
                .register(registry);
        Gauge.builder(MeterNames.WEBHOOKS_OLDEST, this, WebhookMeters::oldestSeconds)
                .description("How long the oldest of them has been waiting")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder(MeterNames.WEBHOOKS_DEAD, this, it -> it.last == null ? 0 : it.last.deadLetters())
                .description("Webhooks that are dead letters, or wait behind one")
                .register(registry);
    }

    private static Counter counter(MeterRegistry registry, String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    private double oldestSeconds() {
        OutboxStatus status = last;
        Duration oldest = status == null ? null : status.oldest();
        return oldest == null ? 0 : oldest.toMillis() / 1000.0;
    }

    public void saw(OutboxStatus status) {
        last = status;
    }

    @Override
    public void on(RelayEvent event) {
        switch (event) {
            case RelayEvent.Sent it -> delivered.increment(it.messages());
            case RelayEvent.Retried it -> retried.increment();
            case RelayEvent.Parked it -> parked.increment();
            default -> {}
        }
    }
}
