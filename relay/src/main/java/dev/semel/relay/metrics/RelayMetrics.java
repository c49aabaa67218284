package dev.semel.relay.metrics;

import dev.semel.messaging.relay.RelayEvent;
import dev.semel.messaging.tables.OutboxStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The numbers of a relay. Their names are in docs/messaging.md. */
public final class RelayMetrics implements RelayEvent.Listener {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicInteger shards = new AtomicInteger();
    private final Counter sent;
    private final Counter sentLetters;
    private final Counter retried;
    private final Counter trailing;
    private final Counter brokerAway;
    private final Counter databaseAway;
    private final Counter failed;
    private final Counter leasesLost;
    private final Timer age;
    private volatile @Nullable OutboxStatus status;

    public RelayMetrics() {
        sent = counter("semel.relay.sent", "Messages that the broker has taken");
        sentLetters = counter("semel.relay.redriven", "Dead letters that the broker has taken after all");
        retried = counter("semel.relay.retried", "Refusals of the broker after which a message is tried again");
        trailing = counter("semel.relay.trailing", "Messages that went behind dead letters of their keys");
        brokerAway =
                counter("semel.relay.broker.away", "Shipments that failed because the broker could not be reached");
        databaseAway = counter("semel.relay.database.away", "Times that the database did not answer");
        failed = counter("semel.relay.failed", "Defects that the relay met, and went on");
        leasesLost = counter("semel.relay.leases.lost", "Shards that another relay has taken over");
        age = Timer.builder("semel.relay.age")
                .description("From append to the broker's word, of the oldest message of each shipment")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofMinutes(10))
                .register(registry);
        Gauge.builder("semel.relay.shards", shards, AtomicInteger::get)
                .description("Shards that this relay sends for")
                .register(registry);
        gauge(
                "semel.outbox.waiting",
                "Messages that wait, counted up to " + OutboxStatus.COUNTED,
                OutboxStatus::waiting);
        gauge("semel.outbox.parked.keys", "Keys with a dead letter", OutboxStatus::parkedKeys);
        gauge(
                "semel.outbox.dead.letters",
                "Dead letters, counted up to " + OutboxStatus.COUNTED,
                OutboxStatus::deadLetters);
        gauge(
                "semel.outbox.oldest.seconds",
                "How long the oldest message has been waiting",
                it -> seconds(it.oldest()));
        gauge(
                "semel.outbox.blocker.seconds",
                "How long a transaction has been open that keeps the outbox from being cleaned up",
                it -> it.blocker() == null ? 0 : seconds(it.blocker().since()));
    }

    private interface Reading {
        double of(OutboxStatus status);
    }

    private static double seconds(@Nullable Duration time) {
        return time == null ? 0 : time.toMillis() / 1000.0;
    }

    private Counter counter(String name, String what) {
        return Counter.builder(name).description(what).register(registry);
    }

    /** Not a number as long as the database has not been asked. */
    private void gauge(String name, String what, Reading reading) {
        Gauge.builder(name, this, metrics -> {
                    OutboxStatus now = metrics.status;
                    return now == null ? Double.NaN : reading.of(now);
                })
                .description(what)
                .register(registry);
    }

    @Override
    public void on(RelayEvent event) {
        switch (event) {
            case RelayEvent.Sent(int messages, Duration oldest) -> {
                (oldest == null ? sentLetters : sent).increment(messages);
                if (oldest != null) age.record(oldest);
            }
            case RelayEvent.Retried it -> retried.increment();
            case RelayEvent.Parked it ->
                Counter.builder("semel.relay.parked")
                        .description("Messages that became dead letters")
                        .tag("kind", it.kind())
                        .register(registry)
                        .increment();
            case RelayEvent.Trailing it -> trailing.increment(it.messages());
            case RelayEvent.BrokerAway it -> brokerAway.increment();
            case RelayEvent.DatabaseAway it -> databaseAway.increment();
            case RelayEvent.Failed it -> failed.increment();
            case RelayEvent.LeaseTaken it -> shards.incrementAndGet();
            case RelayEvent.LeaseGivenBack it -> shards.decrementAndGet();
            case RelayEvent.LeaseLost it -> {
                leasesLost.increment();
                shards.decrementAndGet();
            }
        }
    }

    public void saw(OutboxStatus now) {
        status = now;
    }

    /** For the numbers of a broker. */
    PrometheusMeterRegistry registry() {
        return registry;
    }

    /** In Prometheus' text format. */
    public String scrape() {
        return registry.scrape();
    }
}
