package dev.semel.messaging.broker;

import dev.semel.messaging.message.OutgoingMessage;
import java.util.List;

/** Sends the messages of one shard, for as long as it is leased. Used by one thread at a time. */
public interface Publisher extends AutoCloseable {

    /**
     * Sends these messages, those of one topic and key in their order, and returns when the fate of each is known.
     *
     * <p><b>A message is not overtaken by those behind it.</b> Of messages with the same topic and key, none is taken by the
     * broker before all of them that stand further ahead were; behind one that was not taken, all others of its key are
     * {@linkplain Delivery.Retry retried}.
     *
     * @return one delivery for each message, in the same order
     * @throws PublisherFencedException when somebody else has opened the shard meanwhile: nothing more can be sent by this one
     * @throws BrokerException when nothing is known of any of them: all are sent again
     */
    List<Delivery> publish(List<OutgoingMessage> messages) throws InterruptedException;

    @Override
    void close();
}
