package dev.semel.messaging.broker;

import org.jspecify.annotations.Nullable;

/** A broker could not be reached, or has given no answer: what was sent may have arrived or not. */
public class BrokerException extends RuntimeException {
    public BrokerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
