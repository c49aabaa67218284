package dev.semel.bench.outbox;

import dev.semel.bench.loop.MessageTimes;
import dev.semel.bench.loop.Orders;
import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.message.OutgoingMessage;
import java.time.Duration;
import java.util.List;

/** A broker that notes when messages were acknowledged. */
record TimedBroker(Broker broker, MessageTimes times) implements Broker {
    @Override
    public Publisher open(ShardLease lease) {
        return new TimedPublisher(broker.open(lease), times);
    }

    @Override
    public Duration longestPublish() {
        return broker.longestPublish();
    }

    @Override
    public String name() {
        return broker.name();
    }

    /** Whoever opened it closes it. */
    @Override
    public void close() {}

    private record TimedPublisher(Publisher publisher, MessageTimes times) implements Publisher {
        @Override
        public List<Delivery> publish(List<OutgoingMessage> messages) throws InterruptedException {
            List<Delivery> deliveries = publisher.publish(messages);
            for (int i = 0; i < messages.size(); i++)
                if (deliveries.get(i) instanceof Delivery.Sent)
                    times.acknowledged(Orders.number(messages.get(i).payload()));
            return deliveries;
        }

        @Override
        public void close() {
            publisher.close();
        }
    }
}
