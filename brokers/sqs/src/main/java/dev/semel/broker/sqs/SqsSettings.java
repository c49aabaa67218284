package dev.semel.broker.sqs;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where an SQS is and how long is waited for it.
 *
 * @param account whose queues they are; null for the account of the credentials
 * @param endpoint null for the region's own
 * @param callTimeout how long one call may take
 * @param batchBytes of how many bytes the messages of one call have together, at most; a larger one goes alone
 * @param connections how many calls may be under way at once
 */
record SqsSettings(
        String region,
        @Nullable String account,
        @Nullable URI endpoint,
        Duration callTimeout,
        int batchBytes,
        int connections) {
    private static final Duration MARGIN = Duration.ofSeconds(1);

    static SqsSettings of(String region) {
        return new SqsSettings(region, null, null, Duration.ofSeconds(5), 256 * 1024, 64);
    }

    /** So long after the beginning of a shipment nothing new is sent for it. */
    Duration lastBegin() {
        return callTimeout;
    }

    /** A queue is looked up, a batch is sent, and perhaps its messages one by one. */
    Duration longestWave() {
        return callTimeout.multipliedBy(3);
    }

    Duration longestPublish() {
        return lastBegin().plus(longestWave()).plus(MARGIN);
    }

    @Override
    public String toString() {
        return "SQS in " + region + (endpoint == null ? "" : " at " + endpoint.getAuthority());
    }
}
