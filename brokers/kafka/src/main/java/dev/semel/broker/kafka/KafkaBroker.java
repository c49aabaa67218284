package dev.semel.broker.kafka;

import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import java.time.Duration;
import java.util.Properties;

/**
 * Sends to Kafka. Each shipment of a shard is one transaction of one producer: all of it arrives, or nothing of it. Consumers with
 * {@code isolation.level=read_committed} see every message of a key in order, and a duplicate only when the answer to a commit was
 * lost; others also see what was taken back.
 *
 * <p>A message keeps its bytes as the value and its key as the key; its id, type and other attributes of CloudEvents are headers
 * ({@code ce_id}, {@code ce_type}, …), beside its own headers.
 *
 * <p>Whoever leases a shard takes the producer's identity ({@code transactional.id}) of the shard: Kafka takes nothing more from
 * whoever had it before. Safe for use by any thread.
 */
public final class KafkaBroker implements Broker {
    private final ProducerSettings settings;
    private final KafkaRecords records;
    private final TopicLookup topics;

    private KafkaBroker(ProducerSettings settings, String source) {
        this.settings = settings;
        this.records = new KafkaRecords(source);
        this.topics = new TopicLookup(settings.maxBlock().multipliedBy(2));
    }

    /**
     * Kafka at these addresses. Nothing is connected yet.
     *
     * @param url {@code kafka://host:port,host:port}; after a question mark settings of Kafka's producer by their own names, such as
     *     {@code ?security.protocol=SSL&compression.type=lz4}, and {@code namespace}
     * @param source which application the messages come from, as a URI reference; unless the URL has a {@code namespace}, it also
     *     tells the producers of this outbox from those of others: two outboxes with the same one keep each other from sending
     * @throws IllegalArgumentException when the URL or a setting is wrong; the message says what
     */
    public static KafkaBroker open(String url, String source) {
        return new KafkaBroker(KafkaUrl.parse(url, source), source);
    }

    /**
     * The same by settings of Kafka's producer.
     *
     * @param namespace tells the producers of this outbox from those of others
     */
    public static KafkaBroker open(Properties settings, String namespace, String source) {
        return new KafkaBroker(ProducerSettings.of(settings, namespace), source);
    }

    @Override
    public Publisher open(ShardLease lease) {
        return KafkaPublisher.open(new ShardProducers(settings, lease.shard()), settings, records, topics);
    }

    @Override
    public Duration longestPublish() {
        return settings.longestPublish();
    }

    @Override
    public String name() {
        return "Kafka at " + settings.servers();
    }

    /** Nothing is shared: each publisher has a producer, and closes it. */
    @Override
    public void close() {}
}
