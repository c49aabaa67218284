package dev.semel.bench.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.bench.loop.LoopServer;
import dev.semel.messaging.Outbox;
import java.util.concurrent.atomic.AtomicLong;

/** Appends and nothing else: nobody sends. Arguments: the JDBC URL, how many connections, and how many messages a transaction has. */
public final class AppendPeer {
    private AppendPeer() {}

    public static void main(String[] args) throws Exception {
        AtomicLong appended = new AtomicLong();
        int messages = Integer.parseInt(args[2]);
        try (HikariDataSource pool = OutboxPool.open(args[0], args[1])) {
            Outbox outbox = Outbox.open(pool);
            LoopServer.serve(
                    number -> {
                        RelayPeer.append(pool, outbox, "nowhere", number % 1_000_000_000 * messages, messages);
                        appended.addAndGet(messages);
                    },
                    appended);
        }
    }
}
