package dev.semel.messaging.relay;

import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.PublisherFencedException;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.tables.OutboxTables.OutboxRow;
import java.util.List;

/**
 * Messages of one shard that are handed to the broker together.
 *
 * @param letters whether they are dead letters that are tried again
 */
record Shipment(ShardLease lease, List<OutboxRow> rows, boolean letters) {

    /** What came of it. */
    sealed interface Result {
        Shipment shipment();

        /** A delivery for each row. */
        record Answered(Shipment shipment, List<Delivery> deliveries) implements Result {}

        /** Nothing is known of any of them. */
        record Unknown(Shipment shipment, String reason) implements Result {}

        /** Somebody else has the shard. */
        record Fenced(Shipment shipment) implements Result {}
    }

    /** Hands them over and waits. */
    Result send(Publisher publisher) {
        try {
            // R1: committed, and not handed over.
            List<Delivery> deliveries =
                    publisher.publish(rows.stream().map(OutboxRow::message).toList());
            // R3: answered, and not deleted.
            if (deliveries.size() != rows.size())
                return new Result.Unknown(
                        this, "the broker answered for " + deliveries.size() + " of " + rows.size() + " messages");
            return new Result.Answered(this, deliveries);
        } catch (PublisherFencedException e) {
            return new Result.Fenced(this);
        } catch (BrokerException e) {
            return new Result.Unknown(this, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Result.Unknown(this, "interrupted");
        } catch (RuntimeException | Error e) {
            // Whatever it was: a shipment that is never answered would hold its shard up for ever.
            return new Result.Unknown(this, e.toString());
        }
    }
}
