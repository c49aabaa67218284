package dev.semel.broker.nats;

import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import java.time.Duration;

/**
 * Sends to NATS JetStream. The topic of a message is its subject, which must belong to a stream; its id is the header
 * {@code Nats-Msg-Id}, by which the stream drops what comes twice within its window ({@code duplicate_window}, two minutes by
 * default).
 *
 * <p>NATS cannot refuse a relay whose shard was leased by another: what such a one still sends arrives once more, with the same id,
 * and perhaps behind later messages of its key. An inbox makes it harmless. Safe for use by any thread.
 */
public final class NatsBroker implements Broker {
    private final NatsSettings settings;
    private final NatsMessages messages;

    private NatsBroker(NatsSettings settings, String source) {
        this.settings = settings;
        this.messages = new NatsMessages(source);
    }

    /**
     * NATS at these addresses. Nothing is connected yet.
     *
     * @param url {@code nats://host:port,host:port}, or {@code tls://…} with the certificates that the JDK trusts; before the hosts may
     *     stand {@code user:password@} or {@code token@}, after a question mark {@code credentials=FILE}, {@code connect-timeout} and
     *     {@code ack-timeout}
     * @param source which application the messages come from, as a URI reference
     * @throws IllegalArgumentException when the URL is wrong; the message says what
     */
    public static NatsBroker open(String url, String source) {
        return new NatsBroker(NatsUrl.parse(url), source);
    }

    @Override
    public Publisher open(ShardLease lease) {
        NatsPublisher publisher = new NatsPublisher(settings, messages, "semel-relay-" + lease.shard());
        try {
            publisher.connect();
            return publisher;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerException("interrupted while connecting to NATS", e);
        }
    }

    @Override
    public Duration longestPublish() {
        return settings.longestPublish();
    }

    @Override
    public String name() {
        return settings.toString();
    }

    /** Nothing is shared: each publisher has a connection, and closes it. */
    @Override
    public void close() {}
}
