package dev.semel.messaging.broker;

import org.jspecify.annotations.Nullable;

/** Somebody else has leased the shard since: the broker takes nothing more from this publisher. */
public final class PublisherFencedException extends BrokerException {
    public PublisherFencedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
