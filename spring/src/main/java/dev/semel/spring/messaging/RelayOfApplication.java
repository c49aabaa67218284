package dev.semel.spring.messaging;

import dev.semel.messaging.Outbox;
import dev.semel.messaging.Relay;
import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.relay.RelayEvent;
import dev.semel.messaging.relay.RelaySettings;
import dev.semel.messaging.tables.OutboxStatus;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * The relay that runs in the application: it starts before and stops after all that might append. Stopping and starting it again
 * pauses it. For use by any thread.
 */
public final class RelayOfApplication implements SmartLifecycle {
    /** After what could still append: see the phase of the gate of operations. */
    private static final int PHASE = Integer.MIN_VALUE / 2 - 1;

    private final Outbox outbox;
    private final Broker broker;
    private final String name;
    private final RelaySettings settings;
    private final Supplier<List<RelayEvent.Listener>> listeners;
    private volatile @Nullable Relay relay;
    private volatile @Nullable OutboxWatch watch;
    private volatile @Nullable Instant brokerAwaySince;

    RelayOfApplication(
            Outbox outbox,
            Broker broker,
            String name,
            RelaySettings settings,
            Supplier<List<RelayEvent.Listener>> listeners) {
        this.outbox = outbox;
        this.broker = broker;
        this.name = name;
        this.settings = settings;
        this.listeners = listeners;
    }

    /** @throws OutboxMisuseException when its settings cannot work with the broker */
    @Override
    public synchronized void start() {
        if (isRunning()) return;
        List<RelayEvent.Listener> all =
                listeners.get().stream().map(RelayEvent.Listener::quiet).toList();
        try {
            relay = Relay.from(outbox)
                    .to(broker)
                    .named(name)
                    .with(settings)
                    .heardBy(event -> {
                        hear(event);
                        all.forEach(each -> each.on(event));
                    })
                    .start();
        } catch (IllegalStateException e) {
            throw new OutboxMisuseException("The relay cannot run so: " + e.getMessage(), e);
        }
        watch = OutboxWatch.start(outbox);
    }

    private void hear(RelayEvent event) {
        if (event instanceof RelayEvent.Sent) brokerAwaySince = null;
        if (event instanceof RelayEvent.BrokerAway && brokerAwaySince == null) brokerAwaySince = Instant.now();
    }

    /** What is being sent is waited for and written down, for a while. */
    @Override
    public synchronized void stop() {
        Relay running = relay;
        OutboxWatch watching = watch;
        relay = null;
        watch = null;
        if (running != null) running.close();
        if (watching != null) watching.close();
    }

    @Override
    public boolean isRunning() {
        return relay != null;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** Where it sends, without credentials. */
    public String brokerName() {
        return broker.name();
    }

    /** Since when the broker takes nothing; null when it does, as far as anybody has tried. */
    public @Nullable Instant brokerAwaySince() {
        return brokerAwaySince;
    }

    /** How the outbox was doing some seconds ago; null when nobody could look yet, or the relay does not run. */
    public @Nullable OutboxStatus status() {
        OutboxWatch watching = watch;
        return watching == null ? null : watching.last();
    }

    /** Why the outbox cannot be looked at; null when it can. */
    public @Nullable String failure() {
        OutboxWatch watching = watch;
        return watching == null ? "The relay does not run." : watching.failure();
    }
}
