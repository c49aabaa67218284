package dev.semel.spring.actuate;

import dev.semel.messaging.relay.RelayEvent;
import dev.semel.messaging.tables.OutboxStatus;
import dev.semel.spring.messaging.RelayOfApplication;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The relay of an application under the names of the relay that is a process (see {@code docs/messaging.md}). For use by any thread. */
final class RelayMeters implements RelayEvent.Listener {
    private final MeterRegistry registry;
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

    RelayMeters(MeterRegistry registry) {
        this.registry = registry;
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
    }

    private Counter counter(String name, String what) {
        return Counter.builder(name).description(what).register(registry);
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

    /** What the outbox said when it was looked at last; not a number as long as nobody could. */
    static MeterBinder outbox(RelayOfApplication relay) {
        return registry -> {
            gauge(registry, relay, "semel.outbox.waiting", "Messages that wait", OutboxStatus::waiting);
            gauge(registry, relay, "semel.outbox.parked.keys", "Keys with a dead letter", OutboxStatus::parkedKeys);
            gauge(registry, relay, "semel.outbox.dead.letters", "Dead letters", OutboxStatus::deadLetters);
            gauge(
                    registry,
                    relay,
                    "semel.outbox.oldest.seconds",
                    "How long the oldest message has been waiting",
                    it -> seconds(it.oldest()));
            gauge(
                    registry,
                    relay,
                    "semel.outbox.blocker.seconds",
                    "How long a transaction has been open that keeps the outbox from being cleaned up",
                    it -> it.blocker() == null ? 0 : seconds(it.blocker().since()));
        };
    }

    private static void gauge(
            MeterRegistry registry,
            RelayOfApplication relay,
            String name,
            String what,
            ToDoubleFunction<OutboxStatus> reading) {
        Gauge.builder(name, relay, it -> {
                    OutboxStatus status = it.status();
                    return status == null ? Double.NaN : reading.applyAsDouble(status);
                })
                .description(what)
                .register(registry);
    }

    private static double seconds(@Nullable Duration time) {
        return time == null ? 0 : time.toMillis() / 1000.0;
    }
}
