package dev.semel.bench.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.bench.loop.MessageTimes;
import dev.semel.bench.loop.Orders;
import dev.semel.bench.loop.OutboxServer;
import dev.semel.broker.kafka.KafkaBroker;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.Relay;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.relay.RelayEvent;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Semel's outbox with a relay in the same process. Arguments: the JDBC URL, how many connections, Kafka's bootstrap servers, and the
 * topic.
 */
public final class RelayPeer {
    private RelayPeer() {}

    @SuppressWarnings("try") // a relay that runs is all that is asked of it
    public static void main(String[] args) throws Exception {
        MessageTimes times = new MessageTimes(OutboxServer.MOST_UNDER_WAY);
        try (HikariDataSource pool = OutboxPool.open(args[0], args[1]);
                KafkaBroker kafka = KafkaBroker.open("kafka://" + args[2], "/bench")) {
            Outbox outbox = Outbox.open(pool);
            try (Relay relay = Relay.from(outbox)
                    .to(new TimedBroker(kafka, times))
                    .heardBy(RelayPeer::tell)
                    .start()) {
                OutboxServer.serve((first, messages) -> append(pool, outbox, args[3], first, messages), times);
            }
        }
    }

    /** For whoever looks into why messages were not sent. */
    private static void tell(RelayEvent event) {
        if (!(event instanceof RelayEvent.Sent)) System.err.println(event);
    }

    static void append(DataSource pool, Outbox outbox, String topic, long first, int messages) throws Exception {
        List<Message> batch = new ArrayList<>(messages);
        for (long number = first; number < first + messages; number++)
            batch.add(Message.of(topic, Orders.TYPE, Orders.payload(number).getBytes(UTF_8))
                    .withKey(Orders.key(number)));
        try (Connection transaction = pool.getConnection()) {
            transaction.setAutoCommit(false);
            outbox.append(transaction, batch);
            transaction.commit();
        }
        outbox.committed();
    }
}
