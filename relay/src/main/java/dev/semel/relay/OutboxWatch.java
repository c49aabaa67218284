package dev.semel.relay;

import dev.semel.messaging.Outbox;
import dev.semel.messaging.tables.OutboxStatus;
import dev.semel.relay.metrics.RelayMetrics;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks now and then how the outbox is doing, so that nobody who scrapes metrics asks the database each time. */
final class OutboxWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("semel.relay");
    private static final Duration BETWEEN = Duration.ofSeconds(2);

    private final Outbox outbox;
    private final RelayMetrics metrics;
    private final Look broker;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable OutboxStatus last;
    private volatile @Nullable String failure = "not looked at yet";
    private @Nullable String blocker;

    private OutboxWatch(Outbox outbox, RelayMetrics metrics, Look broker) {
        this.outbox = outbox;
        this.metrics = metrics;
        this.broker = broker;
    }

    /** A look at what a broker keeps in the database. */
    @FunctionalInterface
    interface Look {
        Look NONE = () -> {};

        void look() throws SQLException;
    }

    static OutboxWatch start(Outbox outbox, RelayMetrics metrics, Look broker) {
        OutboxWatch watch = new OutboxWatch(outbox, metrics, broker);
        watch.look();
        Thread.ofVirtual().name("outbox-watch").start(watch::run);
        return watch;
    }

    private void run() {
        try {
            while (!closed.await(BETWEEN.toMillis(), TimeUnit.MILLISECONDS)) look();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        try {
            OutboxStatus status = outbox.status();
            last = status;
            failure = null;
            metrics.saw(status);
            tellBlocker(status.blocker());
            broker.look();
        } catch (SQLException e) {
            failure = String.valueOf(e.getMessage());
        }
    }

    /** One line when it begins and one when it is over. */
    private void tellBlocker(OutboxStatus.@Nullable Blocker now) {
        String what = now == null ? null : now.what();
        if (now != null && !now.what().equals(blocker))
            LOG.warn(
                    "A transaction is open since {}: {}. Messages are sent, but what they leave behind cannot be"
                            + " cleaned up before it ends, and reading gets slower.",
                    now.since(),
                    now.what());
        if (what == null && blocker != null)
            LOG.info("The transaction that kept the outbox from being cleaned up is over.");
        blocker = what;
    }

    @Nullable
    OutboxStatus last() {
        return last;
    }

    /** Why the database cannot be asked; null when it can. */
    @Nullable
    String failure() {
        return failure;
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
