package dev.semel.broker.kafka;

import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.broker.PublisherFencedException;
import java.time.Duration;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Makes the producers of one shard, of which the last one made is the only one that Kafka takes anything from. */
final class ShardProducers {
    private final ProducerSettings settings;
    private final int shard;

    ShardProducers(ProducerSettings settings, int shard) {
        this.settings = settings;
        this.shard = shard;
    }

    /** When this returns, what a former producer had begun is taken back, or finished if it was being committed. */
    KafkaProducer<byte[], byte[]> open() {
        try {
            KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(settings.of(shard), new ByteArraySerializer(), new ByteArraySerializer());
            try {
                producer.initTransactions();
                return producer;
            } catch (RuntimeException e) {
                close(producer);
                throw e;
            }
        } catch (RuntimeException e) {
            throw failure(e);
        }
    }

    /** At once: nothing that it was doing is waited for. */
    static void close(KafkaProducer<byte[], byte[]> producer) {
        producer.close(Duration.ZERO);
    }

    /** What it means to a relay. */
    BrokerException failure(RuntimeException e) {
        if (e instanceof BrokerException already) return already;
        if (isFenced(e))
            return new PublisherFencedException("Shard " + shard + " was opened by somebody else in Kafka.", e);
        return new BrokerException(
                "Kafka at " + settings.servers() + " has not taken the messages: " + e.getMessage(), e);
    }

    private static boolean isFenced(Throwable e) {
        for (Throwable at = e; at != null; at = at.getCause())
            if (at instanceof ProducerFencedException || at instanceof InvalidProducerEpochException) return true;
        return false;
    }
}
