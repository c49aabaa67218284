package dev.semel.bench.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.bench.loop.LoopServer;
import dev.semel.core.key.TimeOrderedId;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.InboxWindow;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** New ids into the inbox. Arguments: the JDBC URL, how many connections, and how many ids a transaction has. */
public final class InboxPeer {
    private static final String CONSUMER = "billing";

    private InboxPeer() {}

    public static void main(String[] args) throws Exception {
        AtomicLong received = new AtomicLong();
        int ids = Integer.parseInt(args[2]);
        try (HikariDataSource pool = OutboxPool.open(args[0], args[1])) {
            Inbox inbox = Inbox.open(pool, new InboxWindow(Duration.ofDays(7)));
            LoopServer.serve(number -> received.addAndGet(receive(inbox, ids)), received);
        }
    }

    private static int receive(Inbox inbox, int ids) throws Exception {
        List<String> batch = Stream.generate(TimeOrderedId::next)
                .limit(ids)
                .map(UUID::toString)
                .toList();
        try (Connection transaction = inbox.begin()) {
            int fresh = inbox.firstTimes(transaction, CONSUMER, batch).size();
            if (fresh != ids) throw new IllegalStateException(ids - fresh + " ids that are new count as received");
            transaction.commit();
            return fresh;
        }
    }
}
