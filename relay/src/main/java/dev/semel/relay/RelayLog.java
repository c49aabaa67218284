package dev.semel.relay;

import dev.semel.messaging.relay.RelayEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the log says about a relay: never a key, a header or a payload. What repeats is said now and then. */
final class RelayLog implements RelayEvent.Listener {
    private static final Logger LOG = LoggerFactory.getLogger("semel.relay");

    private final Occasion broker = new Occasion();
    private final Occasion database = new Occasion();
    private final Occasion retries = new Occasion();

    @Override
    public void on(RelayEvent event) {
        switch (event) {
            case RelayEvent.Sent it -> {}
            case RelayEvent.Trailing it ->
                LOG.info("{} messages wait behind dead letters of their keys.", it.messages());
            case RelayEvent.Retried it -> {
                if (retries.isDue())
                    LOG.warn(
                            "Message {} to {} was not taken and is tried again: {}",
                            it.message(),
                            it.topic(),
                            safe(it.reason()));
            }
            case RelayEvent.Parked it ->
                LOG.warn(
                        "Message {} to {} is a dead letter now ({}): {}. See 'semel dead-letters show {}'.",
                        it.message(),
                        it.topic(),
                        it.kind(),
                        safe(it.error()),
                        it.message());
            case RelayEvent.BrokerAway it -> {
                if (broker.isDue())
                    LOG.warn(
                            "The broker takes nothing; messages wait in the outbox. Shard {}: {}",
                            it.shard(),
                            safe(it.reason()));
            }
            case RelayEvent.DatabaseAway it -> {
                if (database.isDue())
                    LOG.warn("The database does not answer; the relay waits for it: {}", safe(it.reason()));
            }
            case RelayEvent.Failed it ->
                LOG.error("A defect kept the relay from being able to {}; it goes on.", it.what(), it.failure());
            case RelayEvent.LeaseTaken it ->
                LOG.info(
                        "Sends for shard {} now, epoch {}.",
                        it.lease().shard(),
                        it.lease().epoch());
            case RelayEvent.LeaseGivenBack it ->
                LOG.info("Shard {} was given back.", it.lease().shard());
            case RelayEvent.LeaseLost it ->
                LOG.warn(
                        "Another relay may have shard {} now (epoch {} is over).",
                        it.lease().shard(),
                        it.lease().epoch());
        }
    }

    static String safe(String text) {
        return text.replaceAll("\\p{Cntrl}+", " ");
    }
}
