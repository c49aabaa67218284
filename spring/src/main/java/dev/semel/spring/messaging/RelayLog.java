package dev.semel.spring.messaging;

import dev.semel.messaging.relay.RelayEvent;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** What the application's log says about its relay: never a key, a header or a payload. What repeats is said now and then. */
final class RelayLog implements RelayEvent.Listener {
    private static final System.Logger LOG = System.getLogger("dev.semel.relay");

    private final Occasion broker = new Occasion();
    private final Occasion database = new Occasion();
    private final Occasion retries = new Occasion();

    @Override
    public void on(RelayEvent event) {
        switch (event) {
            case RelayEvent.Retried it ->
                retries.say("Message " + it.message() + " to " + it.topic() + " was not taken and is tried again: "
                        + it.reason());
            case RelayEvent.Parked it ->
                warn("Message " + it.message() + " to " + it.topic() + " is a dead letter now (" + it.kind() + "): "
                        + it.error());
            case RelayEvent.Trailing it ->
                LOG.log(Level.INFO, it.messages() + " messages wait behind dead letters of their keys.");
            case RelayEvent.BrokerAway it ->
                broker.say("The broker takes nothing; messages wait in the outbox. " + it.reason());
            case RelayEvent.DatabaseAway it ->
                database.say("The database does not answer; the relay waits for it. " + it.reason());
            case RelayEvent.Failed it ->
                LOG.log(
                        Level.ERROR,
                        "A defect kept the relay from being able to " + it.what() + "; it goes on.",
                        it.failure());
            case RelayEvent.LeaseLost it ->
                warn("Another relay may have shard " + it.lease().shard() + " now.");
            case RelayEvent.Sent it -> {}
            case RelayEvent.LeaseTaken it -> {}
            case RelayEvent.LeaseGivenBack it -> {}
        }
    }

    private static void warn(String text) {
        LOG.log(Level.WARNING, text.replaceAll("\\p{Cntrl}+", " "));
    }

    /** Speaks at most every ten seconds. */
    private static final class Occasion {
        private static final long BETWEEN = Duration.ofSeconds(10).toNanos();

        private final AtomicLong next = new AtomicLong(System.nanoTime());

        void say(String text) {
            long now = System.nanoTime();
            long due = next.get();
            if (now - due >= 0 && next.compareAndSet(due, now + BETWEEN)) warn(text);
        }
    }
}
