package dev.semel.broker.kafka;

import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.PublisherFencedException;
import dev.semel.messaging.message.OutgoingMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Sends a shipment as one transaction. When Kafka refuses single messages of it, all is taken back and sent again without them and
 * without what stands behind them: refused messages are rare, and each is refused here once.
 */
final class KafkaPublisher implements Publisher {
    private static final Delivery LATER = new Delivery.Retry("there was no time left for it", Delivery.Cause.ORDER);

    private final ShardProducers producers;
    private final ProducerSettings settings;
    private final KafkaRecords records;
    private final TopicLookup topics;

    /** Null after a failure that it does not recover from; then the next shipment begins with a new one. */
    private @Nullable KafkaProducer<byte[], byte[]> producer;

    /** Somebody else has the shard: a new producer would take it away from them. */
    private @Nullable PublisherFencedException fenced;

    private KafkaPublisher(
            ShardProducers producers, ProducerSettings settings, KafkaRecords records, TopicLookup topics) {
        this.producers = producers;
        this.settings = settings;
        this.records = records;
        this.topics = topics;
    }

    static KafkaPublisher open(
            ShardProducers producers, ProducerSettings settings, KafkaRecords records, TopicLookup topics) {
        KafkaPublisher publisher = new KafkaPublisher(producers, settings, records, topics);
        publisher.producer = producers.open();
        return publisher;
    }

    @Override
    public List<Delivery> publish(List<OutgoingMessage> messages) throws InterruptedException {
        if (fenced != null) throw fenced;
        long began = System.nanoTime();
        ShipmentAnswers answers = new ShipmentAnswers(messages);
        try {
            // The relay publishes only while it has the lease, so nobody else's producer is fenced by this one.
            KafkaProducer<byte[], byte[]> sending = producer == null ? producers.open() : producer;
            producer = sending;
            lookUp(sending, messages, answers, began);
            List<Integer> next = answers.next(ProducerSettings.MOST_BYTES);
            while (!next.isEmpty()
                    && System.nanoTime() - began < settings.lastBegin().toNanos()) {
                transact(sending, answers, next);
                next = answers.next(ProducerSettings.MOST_BYTES);
            }
            return answers.othersAre(LATER);
        } catch (InterruptException e) {
            drop();
            throw new InterruptedException("interrupted while sending to Kafka");
        } catch (RuntimeException e) {
            return failed(producers.failure(e), answers);
        }
    }

    /** What was committed before is not sent again. */
    private List<Delivery> failed(BrokerException failure, ShipmentAnswers answers) {
        if (failure instanceof PublisherFencedException e) {
            fenced = e;
            drop();
        } else if (answers.anySent()) {
            String reason = String.valueOf(failure.getMessage());
            return answers.othersAre(new Delivery.Retry(reason, Delivery.Cause.BROKER));
        }
        throw failure;
    }

    private void lookUp(
            KafkaProducer<byte[], byte[]> sending,
            List<OutgoingMessage> messages,
            ShipmentAnswers answers,
            long began) {
        Map<String, Delivery> refused = new HashMap<>();
        Map<String, Boolean> found = new HashMap<>();
        for (int i = 0; i < messages.size(); i++) {
            String topic = messages.get(i).topic();
            if (!found.containsKey(topic)) {
                boolean late = System.nanoTime() - began > settings.lastLookup().toNanos();
                Delivery refusal = late ? topics.known(topic) : topics.refusal(sending, topic);
                if (refusal == null && late) refusal = LATER;
                found.put(topic, refusal == null);
                if (refusal != null) refused.put(topic, refusal);
            }
            Delivery refusal = refused.get(topic);
            if (refusal != null) answers.settle(i, refusal);
        }
    }

    /** Commits these, or finds out which of them Kafka does not take. */
    private void transact(KafkaProducer<byte[], byte[]> sending, ShipmentAnswers answers, List<Integer> places) {
        KafkaTransaction transaction = new KafkaTransaction(sending);
        try {
            for (int place : places) transaction.send(records.record(answers.message(place)));
            transaction.commit();
            for (int place : places) answers.settle(place, new Delivery.Sent());
        } catch (RuntimeException e) {
            Map<Integer, Delivery> refused = transaction.refused();
            takeBack(transaction, e);
            if (refused.isEmpty()) throw e;
            refused.forEach((sent, refusal) -> answers.settle(places.get(sent), refusal));
        }
    }

    /** If it cannot be taken back now, the next producer does it. */
    private void takeBack(KafkaTransaction transaction, RuntimeException reason) {
        try {
            transaction.abort();
        } catch (RuntimeException e) {
            drop();
            e.addSuppressed(reason);
            throw e;
        }
    }

    private void drop() {
        if (producer != null) ShardProducers.close(producer);
        producer = null;
    }

    @Override
    public void close() {
        drop();
    }
}
