package dev.semel.messaging;

import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.relay.RelayEvent;
import dev.semel.messaging.relay.RelayRun;
import dev.semel.messaging.relay.RelaySettings;
import java.time.Duration;

/**
 * Sends what was appended to an outbox to a broker: every message that was committed, at least once, those of one topic and key in
 * the order of their transactions. Any number of relays may run; they share the shards of the outbox among them, and when
 * one dies, the others take its shards over.
 *
 * <pre>{@code
 * try (Relay relay = Relay.from(outbox).to(broker).start()) { … }
 * }</pre>
 *
 * <p>Safe for use by any thread.
 */
public final class Relay implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final RelayRun run;

    private Relay(RelayRun run) {
        this.run = run;
    }

    /** A relay of this outbox; say {@link Plan#to where to} it sends. */
    public static Plan from(Outbox outbox) {
        return new Plan(outbox, null, RelaySettings.DEFAULT, RelayEvent.Listener.NONE, "relay");
    }

    /** A relay that is not started yet. */
    public record Plan(
            Outbox outbox,
            @org.jspecify.annotations.Nullable Broker broker,
            RelaySettings settings,
            RelayEvent.Listener listener,
            String name) {

        public Plan to(Broker broker) {
            return new Plan(outbox, broker, settings, listener, name);
        }

        public Plan with(RelaySettings settings) {
            return new Plan(outbox, broker, settings, listener, name);
        }

        public Plan heardBy(RelayEvent.Listener listener) {
            return new Plan(outbox, broker, settings, listener, name);
        }

        /** What it is called in the list of relays; several may have the same name. */
        public Plan named(String name) {
            return new Plan(outbox, broker, settings, listener, name);
        }

        /**
         * Starts it: it sends from now on, also while the broker or the database comes and goes.
         *
         * @throws IllegalStateException when its settings cannot work: its leases are not longer than the broker may take
         */
        public Relay start() {
            if (broker == null)
                throw new IllegalStateException("Say where the relay sends to: from(outbox).to(broker).");
            return new Relay(RelayRun.start(
                    name, outbox.database(), outbox.tables(), broker, settings, listener, outbox.appended()));
        }
    }

    /** Stops it: what is being sent is waited for and written down, for a while, and its shards are free at once. */
    @Override
    public void close() {
        close(GRACE);
    }

    public void close(Duration grace) {
        run.close(grace);
    }
}
