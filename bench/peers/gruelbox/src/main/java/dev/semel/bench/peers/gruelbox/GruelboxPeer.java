package dev.semel.bench.peers.gruelbox;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.bench.loop.MessageTimes;
import dev.semel.bench.loop.Orders;
import dev.semel.bench.loop.OutboxServer;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A call of {@link OrderEvents#paid} for each message, run after the commit on as many threads as there are connections, and a flush in the
 * background for what was left over. Arguments: the JDBC URL, how many connections, Kafka's bootstrap servers, and the topic.
 */
public final class GruelboxPeer {
    /** Writers have some of the connections. */
    private static final int WRITERS = 8;

    private static final Duration BETWEEN_FLUSHES = Duration.ofSeconds(1);

    private GruelboxPeer() {}

    /** What is called once for each message. */
    public interface OrderEvents {
        void paid(String key, String payload) throws Exception;
    }

    public static void main(String[] args) throws Exception {
        MessageTimes times = new MessageTimes(OutboxServer.MOST_UNDER_WAY);
        int connections = Integer.parseInt(args[1]);
        try (HikariDataSource pool = new HikariDataSource();
                OrderSender sender = new OrderSender(args[2], args[3], times);
                ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, connections - WRITERS));
                ScheduledExecutorService flusher = Executors.newSingleThreadScheduledExecutor()) {
            // It inserts in batches; so the driver makes one statement of each.
            pool.setJdbcUrl(args[0] + (args[0].contains("?") ? "&" : "?") + "reWriteBatchedInserts=true");
            pool.setMaximumPoolSize(connections);
            pool.setAutoCommit(false);
            OrderEvents events = sender::send;
            TransactionManager transactions = TransactionManager.fromDataSource(pool);
            TransactionOutbox outbox = TransactionOutbox.builder()
                    .transactionManager(transactions)
                    .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
                    .instantiator(Instantiator.using(type -> events))
                    .submitter(Submitter.withExecutor(threads))
                    .attemptFrequency(Duration.ofSeconds(30))
                    .flushBatchSize(1_000)
                    .serializeMdc(false)
                    .build();
            ScheduledFuture<?> flushing =
                    flusher.scheduleWithFixedDelay(outbox::flush, 1, BETWEEN_FLUSHES.toSeconds(), TimeUnit.SECONDS);
            OutboxServer.serve(
                    (first, messages) -> transactions.inTransactionThrows(transaction -> {
                        for (long number = first; number < first + messages; number++)
                            outbox.schedule(OrderEvents.class).paid(Orders.key(number), Orders.payload(number));
                    }),
                    times);
            flushing.cancel(true);
            threads.shutdownNow();
        }
    }
}
