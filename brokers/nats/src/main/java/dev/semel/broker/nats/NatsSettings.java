package dev.semel.broker.nats;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a NATS is and how long is waited for it. Its text never holds a secret.
 *
 * @param servers each {@code nats://host:port} or {@code tls://host:port}, without credentials
 * @param user null for none
 * @param secret the password of the user; without a user a token; null for none
 * @param credentials a file as NATS' tools make it; null for none
 * @param connectTimeout for each server
 * @param ackTimeout how long an answer of JetStream may take
 */
record NatsSettings(
        List<String> servers,
        @Nullable String user,
        @Nullable String secret,
        @Nullable Path credentials,
        Duration connectTimeout,
        Duration ackTimeout) {
    static final Duration CONNECT = Duration.ofSeconds(2);
    static final Duration ACK = Duration.ofSeconds(4);

    private static final int MOST_TRIED = 3;
    private static final Duration MARGIN = Duration.ofSeconds(1);

    NatsSettings {
        servers = List.copyOf(servers);
    }

    /** Servers are tried in any order, so no more than a few are tried at a time. */
    Duration longestOpen() {
        return connectTimeout.multipliedBy(Math.min(servers.size(), MOST_TRIED));
    }

    /** So long after the beginning of a shipment nothing new is sent for it. */
    Duration lastBegin() {
        return longestOpen().plus(ackTimeout);
    }

    /** The last wave: its answers, and what becomes of those that had none. */
    Duration longestPublish() {
        return lastBegin().plus(ackTimeout.multipliedBy(2)).plus(MARGIN);
    }

    String places() {
        return String.join(
                ",",
                servers.stream().map(it -> it.replaceFirst("^[a-z]+://", "")).toList());
    }

    @Override
    public String toString() {
        return "NATS at " + places();
    }
}
