package dev.semel.broker.nats;

import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import java.io.IOException;
import java.time.Duration;

/** Finds out whether a subject that gave no answer belongs to a stream. */
final class StreamLookup {
    private final NatsLink link;
    private final Duration timeout;

    StreamLookup(NatsLink link, Duration timeout) {
        this.link = link;
        this.timeout = timeout;
    }

    enum Found {
        STREAM,
        NO_STREAM,
        /** Nobody says. */
        UNKNOWN
    }

    Found find(String subject) {
        try {
            JetStreamOptions options =
                    JetStreamOptions.builder().requestTimeout(timeout).build();
            boolean none = link.connection()
                    .jetStreamManagement(options)
                    .getStreamNames(subject)
                    .isEmpty();
            return none ? Found.NO_STREAM : Found.STREAM;
        } catch (IOException | JetStreamApiException | RuntimeException e) {
            return Found.UNKNOWN;
        }
    }
}
